create temp view {{ name | ident }} as
with

-- every verdict in small letters, without the blanks around it
words as (
    select
{% for column in columns %}
        {{ column | ident }},
{% endfor %}
        verdict,
        lower(trim(cast(verdict as {{ text }}), E' \t\r\n')) as word
    from {{ relation }}
)

-- 1 where the candidate is better, 0 where both are alike, -1 where it is worse, null where the verdict is none
select
{% for column in columns %}
    {{ column | ident }},
{% endfor %}
    verdict,
    case
        when word in ('good', 'g', 'better', 'win', '好') then 1
        when word in ('same', 's', 'equal', 'tie', '平', '一样') then 0
        when word in ('bad', 'b', 'worse', 'loss', '差') then -1
        when try_cast(word as {{ double }}) in (1, 0, -1) then try_cast(word as {{ double }})
    end as preference
from words
