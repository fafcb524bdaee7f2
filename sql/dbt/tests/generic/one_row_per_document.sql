{# No document stands twice in a ranking: the documents that do, with the number of their rows. #}
{% test one_row_per_document(model, columns={}) %}
{% set keys = ['query_id', 'doc_id'] + (['system'] if 'system' in columns else []) %}
select
{% for key in keys %}
    {{ sqlrank.ident(columns.get(key, key)) }},
{% endfor %}
    count(*) as copies
from {{ model }}
group by {% for key in keys %}{{ sqlrank.ident(columns.get(key, key)) }}{% if not loop.last %}, {% endif %}{% endfor %}

having count(*) > 1
{% endtest %}
