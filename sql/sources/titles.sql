{% from "macros/ranking.sql" import id_of %}
-- what queries or documents are called, for a few of their ids
select
    {{ id_of(id) }} as id,
    min(cast({{ title | ident }} as {{ text }})) as title
from {{ reader }}
where {{ id_of(id) }} in ({% if among %}select {{ key }} from {{ among }}{% else %}{% for one in ids %}{{ one | literal }}{% if not loop.last %}, {% endif %}{% endfor %}{% endif %})
group by {{ id_of(id) }}
