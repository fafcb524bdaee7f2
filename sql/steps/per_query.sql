{% from "macros/measures.sql" import values_of %}
{% set rows %}{% if not plain %}query_rows{% elif "scored" in steps %}scored{% elif outer %}judged{% else %}ranked{% endif %}{% endset %}
{% set seen %}{% if cumulating %}cumulated{% elif rare %}observations{% else %}scored{% endif %}{% endset %}
select
{% if named or several %}
    {%+ if several %}query_rows.system{% else %}{{ system | literal }}{% endif %} as system,
{% endif %}
    {{ rows }}.query_id as query_id,
{% for segment in segments %}
    max(query_rows.{{ segment.alias | ident }}) as {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
    max(query_rows.weight) as weight,
{% endif %}
{% if diagnostics %}
    max(query_rows.retrieved) as sqlrank_retrieved,
    {%+ if without_judgments %}0{% elif averaged %}coalesce(sum(judged), 0){% else %}sum(case when relevance is not null then 1 else 0 end){% endif %} as sqlrank_judged,
    max(query_rows.{{ diagnostic_relevant | ident }}) as sqlrank_relevant,
    {%+ if without_judgments %}0{% else %}coalesce(max(tied_queries.tied), 0){% endif %} as sqlrank_tied,
{% endif %}
{{ values_of(measures, empty_value) -}}
from {{ rows }}
{% if not plain and (rare or not without_judgments) %}
left join {{ seen }} on query_rows.query_id = {{ seen }}.query_id{% if several %} and query_rows.system = {{ seen }}.system{% endif %}

{% elif outer and "scored" not in steps %}
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id{% if limit %} and ranked.rank <= {{ limit }}{% endif %}

{% endif %}
{% if diagnostics and not without_judgments %}
left join tied_queries on query_rows.query_id = tied_queries.query_id{% if several %} and query_rows.system = tied_queries.system{% endif %}

{% endif %}
{% for ideal in ideals if ideal.totals %}
{% if ideal.kind == "full" %}
cross join {{ ideal.rows | ident }}
{% else %}
left join {{ ideal.rows | ident }} on {{ rows }}.query_id = {{ ideal.rows | ident }}.query_id{% if several and ideal.kind == "retrieved" %} and query_rows.system = {{ ideal.rows | ident }}.system{% endif %}

{% endif %}
{% endfor %}
{% if plain and labelled and "scored" not in steps %}
where ranked.relevance is not null
{% endif %}
group by {% if several %}query_rows.system, {% endif %}{{ rows }}.query_id
