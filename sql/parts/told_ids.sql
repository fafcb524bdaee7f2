{# The steps that tell ids of two relations apart: those of one side alone, and those of both. `scoped` says that the ids
   are those of documents, each of its query: then the queries of the first rows may be enough, of so many as `most` says,
   and these rows alone unless `whole` rankings are asked for. #}
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
)
