{# Some of the first values of columns of text. #}
{% for name in names %}
select
    {{ loop.index0 }} as number,
    value
from (
    select {{ name | ident }} as value
    from {{ reader }}
    where {{ name | ident }} is not null
    limit {{ most }}
) as first_values
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
