{% from "macros/ids.sql" import column_of_id %}
{% from "macros/measures.sql" import values_of %}
{% set rows %}{% if not plain %}observations{% elif joined %}judged_queries{% elif "scored" in steps %}scored{% elif outer %}judged{% else %}ranked{% endif %}{% endset %}
{% set table %}{% if plain or kept %}{{ rows }}.{% endif %}{% endset %}
select
{% if partition %}
    max(next_partition.first_one) as {{ partition.column | ident }},
{% endif %}
{% if named or several %}
    {%+ if several %}{% if kept %}{{ rows }}.system as {% endif %}{% else %}{{ system | literal }} as {% endif %}system,
{% endif %}
    {%+ if table %}{{ table }}query_id as {% endif %}query_id,
{% for column in id_columns %}
    {{ column_of_id(table ~ "query_id", column.number) }} as {{ column.name | ident }},
{% endfor %}
{% for each in kept %}
{% for column in each.columns %}
    max({{ each.rows | ident }}.{{ ("kept_" ~ column) | ident }}) as {{ column | ident }},
{% endfor %}
{% endfor %}
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
    {%+ if without_judgments %}0{% else %}coalesce(sum(tied), 0){% endif %} as sqlrank_tied,
{% endif %}
{{ values_of(measures, empty_value) -}}
from {{ rows }}
{% if outer and not united and "scored" not in steps %}
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id{% if limit %} and ranked.rank <= {{ limit }}{% endif %}

{% endif %}
{% if joined %}
left join scored on judged_queries.query_id = scored.query_id
{% endif %}
{% for ideal in ideals if plain and not united %}
left join {{ ideal.rows | ident }} on {{ rows }}.query_id = {{ ideal.rows | ident }}.query_id
{% endfor %}
{% for each in kept %}
left join {{ each.rows | ident }} on {{ rows }}.query_id = {{ each.rows | ident }}.query_id{% if each.found and several %} and {{ rows }}.system = {{ each.rows | ident }}.system{% endif %}

{% endfor %}
{% if partition %}
cross join next_partition
{% endif %}
{% if partition and several and partition.replaced is none %}
where {{ table }}system not in (select system from held_systems)
{% elif plain and labelled and "scored" not in steps %}
where ranked.relevance is not null
{% endif %}
group by {%+ if several %}{{ table }}system, {% endif %}{{ table }}query_id
