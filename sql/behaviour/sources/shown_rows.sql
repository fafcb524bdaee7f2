{# Those that were shown. #}
select
    impression_id,
    query_id,
    doc_id,
{% for column in carried %}
    {{ column | ident }},
{% endfor %}
{% for kind in kinds %}
    {{ kind | ident }},
{% endfor %}
    position,
    clicked
from {{ rows_of }}
where position is not null
