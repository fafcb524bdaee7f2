{# Policies: how likely each document is shown at each position, and what it and those above it, or the whole list, are. #}
{% from "macros/logs.sql" import folded %}
{% for policy in policies %}
select
    {%+ if policy.system %}cast({{ policy.system | ident }} as varchar){% else %}{{ policy.name | literal }}{% endif %} as system,
    {%+ if policy.impression_id %}cast({{ policy.impression_id | ident }} as varchar){% else %}cast(null as varchar){% endif %} as impression_id,
    {%+ if policy.query_id and fold %}{{ folded(policy.query_id) }}{% elif policy.query_id %}cast({{ policy.query_id | ident }} as varchar){% else %}cast(null as varchar){% endif %} as query_id,
    cast({{ policy.doc_id | ident }} as varchar) as doc_id,
    {%+ if policy.position %}try_cast(try_cast({{ policy.position | ident }} as double) as bigint){% else %}1{% endif %} + {{ policy.shift }} as position,
    {%+ if policy.share %}try_cast({{ policy.share | ident }} as double){% else %}cast(null as double){% endif %} as share,
    {%+ if policy.prefix %}try_cast({{ policy.prefix | ident }} as double){% else %}cast(null as double){% endif %} as prefix_share,
    {%+ if policy.list %}try_cast({{ policy.list | ident }} as double){% else %}cast(null as double){% endif %} as list_share
from {{ policy.reader }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
