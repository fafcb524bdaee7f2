{# Ids of one relation that are none of the other, and would be if both were written alike: how many, how many ids are the
   same as they are, some pairs, and the ids that are not of ASCII alone. The plain form of an id has no case, no blanks
   and quotes around it, no leading zeros and no trailing .0; its short form no prefix either, such as `q=`, and is held
   against plain ones. The ids are those of parts/told_ids.sql, or were `fetched` from another engine. A guard stands
   before each pattern, as most ids have no need of it. #}
with

{% if fetched %}
told as (
    select
        unnest(cast($1 as {{ text }}[])) as scope,
        unnest(cast($2 as {{ text }}[])) as id,
        unnest(cast($3 as bigint[])) as first_side,
        unnest(cast($4 as bigint[])) as last_side
),
{% else %}
{% include "parts/told_ids.sql" %},
{% endif %}

alone as (
    select
        first_side as side,
        scope,
        id,
        lower(
            case
                when strlen(id) <> length(id) then translate(nfc_normalize(id), {{ wide | literal }}, {{ narrow | literal }})
                else id
            end
        ) as lowered
    from told
    where first_side = last_side
),

trimmed as (
    select
        side,
        scope,
        id,
        case
            when regexp_matches(lowered, {{ blanks | literal }})
                then trim(regexp_replace(lowered, {{ blanks | literal }}, ' ', 'g'))
            else lowered
        end as lowered
    from alone
),

numbered as (
    select
        side,
        scope,
        id,
        case
            when contains(lowered, '0')
                then regexp_replace(
                    regexp_replace(lowered, '^(-?[0-9]+)[.]0+$', '\1'), '(^|[^0-9.])0+([0-9])', '\1\2', 'g'
                )
            else lowered
        end as plain
    from trimmed
),

forms as (
    select
        side,
        scope,
        id,
        plain,
        0 as is_short
    from numbered

    union all

    select
        side,
        scope,
        id,
        regexp_replace(plain, {{ prefix | literal }}, '\1') as plain,
        1 as is_short
    from numbered
    where ascii(plain) between 97 and 122 and regexp_matches(plain, {{ prefix | literal }})
),

pairs as (
    select
        theirs.scope as scope,
        theirs.id as second_id,
        min({'is_short': theirs.is_short + ours.is_short, 'id': ours.id}).id as first_id
    from forms as theirs
    inner join forms as ours
        on theirs.scope = ours.scope and theirs.plain = ours.plain
    where theirs.side = 2 and ours.side = 1 and theirs.is_short + ours.is_short < 2
    group by theirs.scope, theirs.id
)

select
    (select count(*) from pairs) as near,
    (select count(*) from told where first_side < last_side) as exact,
    (
        select list({'scope': scope, 'first': first_id, 'second': second_id} order by scope, second_id)[:20]
        from pairs
    ) as examples,
    (
        select list({'side': side, 'scope': scope, 'id': id} order by side, scope, id)
        from (
            select
                side,
                scope,
                id
            from alone
            where strlen(id) > length(id)
            order by side, scope, id
            limit 10000
        ) as foreign_ids
    ) as foreign_ids
