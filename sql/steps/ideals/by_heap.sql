{% from "macros/ranking.sql" import has_gain %}
select {{ ideal.grouping }}, unnest(max(relevance, {{ ideal.k }})) as relevance, generate_subscripts(max(relevance, {{ ideal.k }}), 1) as ideal_rank
        from {{ ideal.source }}
        where {{ has_gain(ideal.gain) }}
        group by {{ ideal.grouping }}
