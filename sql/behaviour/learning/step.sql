{# How far to go on along the way of two rounds: how long the first was beside what the second changed of it. #}
select coalesce(sqrt(sum(way * way) / nullif(sum(bend * bend), 0)), 1) as step
from (
{% for side in sides %}
    select
        once.{{ side.learned | ident }} - start.{{ side.learned | ident }} as way,
        twice.{{ side.learned | ident }} - 2 * once.{{ side.learned | ident }} + start.{{ side.learned | ident }} as bend
    from {{ side.start }} as start
    inner join {{ side.once }} as once on start.{{ side.key | ident }} = once.{{ side.key | ident }}
    inner join {{ side.twice }} as twice on start.{{ side.key | ident }} = twice.{{ side.key | ident }}
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
)
