{% from "macros/ids.sql" import column_of_id %}
-- the pairs as people judge them
select
{% for id in ids %}
    {%+ if id.number %}{{ column_of_id(id.of, id.number) }}{% else %}{{ id.of }}{% endif %} as {{ id.name | ident }},
{% endfor %}
    cast(null as {{ double }}) as relevance,
{% if query_texts %}
    query_texts.title as query_text,
{% endif %}
{% if titles %}
    titles.title as title,
{% endif %}
    pool.priority as priority,
    pool.weight as weight,
    pool.systems as systems,
    pool.best_rank as best_rank
from {{ pool }} as pool
{% if query_texts %}
left join {{ query_texts }} as query_texts
    on pool.query_id = query_texts.id
{% endif %}
{% if titles %}
left join {{ titles }} as titles
    on pool.doc_id = titles.id
{% endif %}
order by pool.priority asc
