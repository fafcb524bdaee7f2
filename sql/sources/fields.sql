{% from "macros/fields.sql" import field_of, value_of %}
{# What a column has inside, or a field in it, or the first value of a list: names and types; of JSON the keys that the
   first records have. #}
{% set whole = value_of(name, json and not texts, texts) %}
{% set inside %}{% if not listed %}{{ whole }}{% elif json %}json_extract({{ whole }}, '$[0]'){% else %}list_extract({{ whole }}, 1){% endif %}{% endset %}
{% if json %}
select
    key,
    'JSON' as kind
from (
    select distinct unnest(json_keys(inside)) as key
    from (
        select {{ field_of(inside, keys, json, pointer) if keys else inside }} as inside
        from (from {{ reader }} limit {{ most }}) as first_rows
    )
    where json_type(inside) = 'OBJECT'
)
order by key asc
{% else %}
describe select unnest({{ field_of(inside, keys, json, pointer) if keys else inside }}) from {{ reader }}
{% endif %}
