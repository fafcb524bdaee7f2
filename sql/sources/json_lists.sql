-- which columns of JSON hold lists, by the first records, and what the first value of a list has
{% for name in names %}
select
    {{ name | literal }} as name,
    mode(json_type(json_extract({{ name | ident }}, '$[0]'))) as kind,
    max(json_keys(json_extract({{ name | ident }}, '$[0]'))) as keys
from (from {{ reader }} limit {{ most }}) as first_rows
where {{ (name ~ " json type") | ident }} = 'ARRAY'
having count(*) > 0
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
