{% from "macros/measures.sql" import values_of %}
{% set rows %}{% if cumulating %}cumulated{% elif not plain %}observations{% elif "scored" in steps %}scored{% elif outer %}judged{% else %}ranked{% endif %}{% endset %}
select
{% if named or several %}
    {%+ if not several %}{{ system | literal }} as {% endif %}system,
{% endif %}
    {%+ if plain %}{{ rows }}.query_id as {% endif %}query_id,
{% for segment in segments %}
    max({{ segment.alias | ident }}) as {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
    max(weight) as weight,
{% endif %}
{% if diagnostics %}
    max(retrieved) as sqlrank_retrieved,
    {%+ if without_judgments %}0{% elif averaged %}coalesce(sum(judged), 0){% else %}sum(case when relevance is not null then 1 else 0 end){% endif %} as sqlrank_judged,
    max({{ diagnostic_relevant | ident }}) as sqlrank_relevant,
    {%+ if without_judgments %}0{% else %}coalesce(max(tied), 0){% endif %} as sqlrank_tied,
{% endif %}
{{ values_of(measures, empty_value) -}}
from {{ rows }}
{% if outer and "scored" not in steps %}
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id{% if limit %} and ranked.rank <= {{ limit }}{% endif %}

{% endif %}
{% for ideal in ideals if plain %}
left join {{ ideal.rows | ident }} on {{ rows }}.query_id = {{ ideal.rows | ident }}.query_id
{% endfor %}
{% if plain and labelled and "scored" not in steps %}
where ranked.relevance is not null
{% endif %}
group by {%+ if plain %}{{ rows }}.query_id{% else %}{{ keys }}{% endif %}

