{% from "macros/ids.sql" import column_of_id %}
{% from "macros/keys.sql" import keys_in, one_ranking with context %}
{% from "macros/measures.sql" import values_of %}
{% from "macros/ranking.sql" import id_text %}
{% from "macros/queries.sql" import known_of with context %}
select
{% if partition %}
    max(next_partition.first_one) as {{ partition.column | ident }},
{% endif %}
{% if named_system %}
    {{ system | literal }} as system,
{% endif %}
{% for key in key_names %}
    {{ id_text(run[key], key, rows) }} as {{ key | ident }},
{% endfor %}
{% for column in id_columns %}
    {{ column_of_id(query_of_row, column.number) }} as {{ column.name | ident }},
{% endfor %}
{% for each in kept %}
{% for column in each.columns %}
    max({{ each.rows | ident }}.{{ ("kept_" ~ column) | ident }}) as {{ column | ident }},
{% endfor %}
{% endfor %}
{% for column in carried_columns %}
    max({% if carried_beside %}{{ known_of(column) }}{% else %}{{ column.alias | ident }}{% endif %}) as {{ column.alias | ident }},
{% endfor %}
{% if diagnostics %}
{% include "steps/counts.sql" %}
{% endif %}
{{ values_of(measures, empty_value) -}}
{% include row_source %}
{% for each in kept %}
left join {{ each.rows | ident }} on {% for key in each.of_keys | reverse %}{{ rows | ident }}.{{ key | ident }} = {{ each.rows | ident }}.{{ key | ident }}{% if not loop.last %} and {% endif %}{% endfor +%}
{% endfor %}
{% if partition %}
cross join next_partition
{% endif %}
{% if several and partition and partition.adds %}
where {{ rows | ident }}.system not in (select system from held_systems)
{% elif judged_alone %}
where ranked.relevance is not null
{% endif %}
group by {{ keys_in(rows) }}
