{# The items on which raters disagree most; `levels` are those that have a column each, the first and the last opposed. #}
{% set item %}{% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% endset %}
-- the items whose raters differ, those {% if levels %}with the most pairs that are opposed{% else %}whose levels are furthest apart{% endif %} first
with

-- how many raters chose which level of an item{% if not levels %}, and who{% endif +%}
chosen as (
    select
{% for column in columns %}
        cast({{ column | ident }} as {{ text }}) as {{ column | ident }},
{% endfor %}
        {{ level | ident }} as level,
{% if not levels %}
        string_agg(cast(rater as {{ text }}), ', ' order by cast(rater as {{ text }})) as named,
{% endif %}
        count(*) as raters
    from {{ judged }}
    group by {{ item }}, {{ level | ident }}
),

items as (
    select
        {{ item }},
{% for name, value in levels %}
        cast(sum(case when level = {{ value | literal }} then raters else 0 end) as bigint) as {{ name | ident }},
{% endfor %}
{% if not levels %}
        cast(sum(raters) as bigint) as raters,
        string_agg(printf('%.12g', level) || ' (' || named || ')', ', ' order by level asc) as levels,
        max(level) - min(level) as apart,
{% endif %}
        sum(raters) as total,
        sum(raters * raters) as alike
    from chosen
    group by {{ item }}
    having count(*) > 1
)

select
    {{ item }},
{% for name, _ in levels | reverse %}
    {{ name | ident }},
{% endfor %}
{% if not levels %}
    raters,
    levels,
{% endif %}
    (total * total - alike) / cast(total * (total - 1) as {{ double }}) as disagreement
from items
order by
    {% if levels %}{{ levels[0][0] | ident }} * {{ levels[-1][0] | ident }}{% else %}apart{% endif %} desc, disagreement desc, total desc, {{ item }}
{% if most is not none %}
limit {{ most }}
{% endif %}
