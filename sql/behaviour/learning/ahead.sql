{# Where many rounds would lead: on a parabola through the last three, and at most half of what is left to 0 or 1. #}
select
    start.{{ side.key | ident }},
    least(
        greatest(
            start.{{ side.learned | ident }} + 2 * {{ step | literal }} * (once.{{ side.learned | ident }} - start.{{ side.learned | ident }})
            + {{ (step * step) | literal }} * (twice.{{ side.learned | ident }} - 2 * once.{{ side.learned | ident }} + start.{{ side.learned | ident }}),
            twice.{{ side.learned | ident }} / 2
        ),
        (twice.{{ side.learned | ident }} + 1) / 2
    ) as {{ side.learned | ident }},
    cast(null as double) as moved
from {{ side.start }} as start
inner join {{ side.once }} as once on start.{{ side.key | ident }} = once.{{ side.key | ident }}
inner join {{ side.twice }} as twice on start.{{ side.key | ident }} = twice.{{ side.key | ident }}
