{# The indices that documents are of, in several relations together. #}
{% for relation in relations %}
select distinct {{ column | ident }} as named
from {{ relation }}
where {{ column | ident }} <> ''
{% if not loop.last %}

union

{% endif %}
{% endfor %}
order by named
