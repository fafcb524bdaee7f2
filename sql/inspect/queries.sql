{% from "macros/values.sql" import opaque %}
{% from "macros/worth.sql" import worth_of %}
{% set number %}{% if score %}try_cast({{ opaque(score | ident) }} as double){% endif %}{% endset %}
{% set finite_score %}case when isfinite({{ number }}) then {{ number }} end{% endset %}
{% set label %}{% if relevance %}{{ worth_of(relevance) }}{% endif %}{% endset %}
{% set worth %}{% if relevance %}try_cast({{ opaque(label) }} as double){% endif %}{% endset %}
{% set finite_label %}case when isfinite({{ worth }}) then {{ worth }} end{% endset %}
-- how many rows there are, of how many queries and rankings, and how many documents and judgments these have
select
    {%+ if system %}count(distinct query_id){% else %}count(query_id){% endif %} as queries,
    count(query_id) as rankings,
    coalesce(sum(documents), 0) as row_count,
    min(documents) as fewest,
    max(documents) as most,
    coalesce(sum(without_document), 0) as without_document,
    coalesce(sum(case when query_id is null then documents else 0 end), 0) as without_query,
    coalesce(sum(judged), 0) as judged,
    coalesce(sum(positive), 0) as positive,
    max(largest) as largest,
    min(lowest_score) as lowest_score,
    max(highest_score) as highest_score,
    coalesce(sum(labels), 0) as labels,
    min(label) as label,
    coalesce(sum(texts), 0) as texts,
    min(score_text) as score_text
from (
    select
        {{ query_id | ident }} as query_id,
        count(*) as documents,
        {%+ if doc_id %}count(*) - count({{ doc_id | ident }}){% else %}0{% endif %} as without_document,
        {%+ if relevance %}count({{ worth }}){% else %}0{% endif %} as judged,
        {%+ if relevance %}count(case when {{ worth }} > 0 then 1 end){% else %}0{% endif %} as positive,
        {%+ if relevance %}max({{ finite_label }}){% else %}cast(null as double){% endif %} as largest,
        {%+ if score %}min({{ finite_score }}){% else %}cast(null as double){% endif %} as lowest_score,
        {%+ if score %}max({{ finite_score }}){% else %}cast(null as double){% endif %} as highest_score,
{% for name, column, value, text in (("labels", relevance, label, "label"), ("texts", score, score | ident if score else none, "score_text")) %}
{% set odd %}{% if column %}{{ opaque(value) }} is not null and try_cast({{ opaque(value) }} as double) is null{% endif %}{% endset %}
        {%+ if column %}count(case when {{ odd }} then 1 end){% else %}0{% endif %} as {{ name | ident }},
        {%+ if column %}min(case when {{ odd }} then cast({{ value }} as varchar) end){% else %}cast(null as varchar){% endif %} as {{ text | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ reader }}
    group by {%+ if system %}{{ system | ident }}, {% endif %}{{ query_id | ident }}
)
