{% from "macros/ranking.sql" import has_gain, order_of_gains %}
select {{ ideal.grouping }}, relevance, row_number() over (partition by {{ ideal.grouping }} order by {{ order_of_gains(ideal.gain) }} desc) as ideal_rank
        from {{ ideal.source }}
        where {{ has_gain(ideal.gain) }}
