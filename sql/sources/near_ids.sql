{# Ids of one relation that are none of the other, and would be if both were written alike: how many, how many ids are the
   same as they are, some pairs, and the ids that are not of ASCII alone. The plain form of an id has no case, no blanks
   and quotes around it, no leading zeros and no trailing .0; its short form no prefix either, such as `q=`, and is held
   against plain ones. `scoped` says that the ids are those of documents, each of its query: then the queries of the first
   rows may be enough, of so many as `most` says, and these rows alone unless `whole` rankings are asked for. A guard
   stands before each pattern, as most ids have no need of it. #}
with

{% if scoped %}
asked as (
    select distinct cast(query_id as {{ text }}) as scope
{% if most %}
    from (
        select query_id
        from {{ first }}
        limit {{ most }}
    ) as first_rows
{% else %}
    from {{ second }}
{% endif %}
),

{% endif %}
ids as (
{% for relation in [first, second] %}
    select
        {{ loop.index }} as side,
        {%+ if scoped %}cast(query_id as {{ text }}){% else %}''{% endif %} as scope,
        cast({{ column | ident }} as {{ text }}) as id
{% if most and loop.first and not whole %}
    from (
        select
            query_id,
            {{ column | ident }}
        from {{ relation }}
        limit {{ most }}
    ) as first_rows
{% else %}
    from {{ relation }}
{% endif %}
    where
        {{ column | ident }} is not null
{% if scoped and not (most and loop.first and not whole) %}
        and cast(query_id as {{ text }}) in (select scope from asked)
{% endif %}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

told as (
    select
        scope,
        id,
        min(side) as first_side,
        max(side) as last_side
    from ids
    group by scope, id
),

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
