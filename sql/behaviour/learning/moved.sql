select greatest(
    (select max(moved) from {{ attraction }}),
    {% if examination %}(select max(moved) from {{ examination }}){% else %}0{% endif +%}
) as moved
