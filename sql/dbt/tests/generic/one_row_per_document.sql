{# No document stands twice in a ranking, and each has its ids: the documents of which that is not so, with the number of
   their rows. #}
{% test one_row_per_document(model, columns={}) %}
{% set keys = [] %}
{% for role in ['query_id', 'doc_id'] + (['system'] if 'system' in columns else []) %}
    {% do keys.extend(sqlrank.columns_in(columns.get(role, role))) %}
{% endfor %}
select
{% for key in keys %}
    {{ sqlrank.ident(key) }},
{% endfor %}
    count(*) as copies
from {{ model }}
group by {% for key in keys %}{{ sqlrank.ident(key) }}{% if not loop.last %}, {% endif %}{% endfor %}

having count(*) > 1{% for key in keys %} or {{ sqlrank.ident(key) }} is null{% endfor %}

{% endtest %}
