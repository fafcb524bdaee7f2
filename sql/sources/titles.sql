{% from "macros/ranking.sql" import id_of %}
-- what queries or documents are called, for a few of their ids
select
    id,
    min(title) as title
from (
{% for table in tables %}
    select
        {{ id_of(table.id) }} as id,
        cast({{ table.title | ident }} as {{ text }}) as title
    from {{ table.reader }}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
) as named
where id in ({% if among %}select {{ key }} from {{ among }}{% else %}{% for one in ids %}{{ one | literal }}{% if not loop.last %}, {% endif %}{% endfor %}{% endif %})
group by id
