{% from "macros/guards.sql" import once_or_error %}
{% from "macros/ranking.sql" import has_gain %}
{% if not without_judgments %}
-- the queries that were judged, with what there is to find
judged_queries as (
    select
{% for segment in segments %}
{% if segment.judged %}
        max({{ segment.alias | ident }}) as {{ segment.alias | ident }},
{% endif %}
{% endfor %}
{% if qrels.weight %}
        max(weight) as weight,
{% endif %}
{% for level in levels %}
{% if level.relevant %}
        cast(sum(case when relevance >= {{ level.value | literal }} then 1 else 0 end) as {{ double }}) as {{ level.relevant | ident }},
{% endif %}
{% if level.nonrelevant %}
        cast(sum(case when relevance >= 0 and relevance < {{ level.value | literal }} then 1 else 0 end) as {{ double }}) as {{ level.nonrelevant | ident }},
{% endif %}
{% endfor %}
{% for gain in gains %}
{% if gain.gainful %}
        cast(sum(case when {{ has_gain(gain) }} then 1 else 0 end) as {{ double }}) as {{ gain.gainful | ident }},
{% endif %}
{% endfor %}
{% if top_relevance %}
        max(relevance) as top_relevance,
{% endif %}
        query_id
    from qrels_rows
    group by query_id
{% if guarded and not pooled %}
    {{ once_or_error("judgments") }}
{% endif %}
),

{% if scaled %}
-- the largest relevance of all judgments
scale_rows as (
    select max(relevance) as largest
    from qrels_rows
),

{% endif %}
{% endif %}
