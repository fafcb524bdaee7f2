{# No document stands twice in a ranking, and each has its ids: the documents of which that is not so, with the number of
   their rows. #}
{% test one_row_per_document(model, columns={}) %}
{% set keys = ['query_id', 'doc_id'] + (['system'] if 'system' in columns else []) %}
select
{% for key in keys %}
    {{ sqlrank.ident(columns.get(key, key)) }},
{% endfor %}
    count(*) as copies
from {{ model }}
group by {% for key in keys %}{{ sqlrank.ident(columns.get(key, key)) }}{% if not loop.last %}, {% endif %}{% endfor %}

having count(*) > 1{% for key in keys %} or {{ sqlrank.ident(columns.get(key, key)) }} is null{% endfor %}

{% endtest %}
