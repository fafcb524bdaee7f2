{# No document appears twice in a ranking, and each has its ids: the documents of which that is not so. `keys` are the
   columns that tell documents apart. #}
{% test one_row_per_document(model, keys=['query_id', 'doc_id'], arguments={}) %}
{% set keys = arguments.get('keys', keys) %}
select {{ keys | join(', ') }}, count(*) as copies
from {{ model }}
group by {{ keys | join(', ') }}
having count(*) > 1 or {{ keys | join(' is null or ') }} is null
{% endtest %}
