{# How far each rater is from the reference, in total and in parts, with what intervals over queries are made of: the
   influence of each query is by how much the bias moves when that query is left out, times the number of the others.
   `places` are the first documents of `systems`, of which each is compared with the first one. #}
-- the bias of every rater, in total and in parts, and the sums of the influences of queries
with

parts as (
    select
        rater,
        query_id,
        difference,
        'total' as part,
        0 as place,
        cast(null as {{ text }}) as value,
        cast(null as {{ double }}) as number
    from {{ pairs }}

    union all

    select
        rater,
        query_id,
        difference,
        'grade',
        1,
        printf('%.12g', reference_grade),
        reference_grade
    from {{ pairs }}
{% if segments %}

    union all

    select
        rater,
        query_id,
        difference,
        'segment',
        2,
        segment,
        null
    from {{ pairs }}
{% endif %}
{% for system in systems %}

    union all

    select
        pairs.rater,
        pairs.query_id,
        pairs.difference,
        'system',
        3,
        {{ system | literal }},
        {{ loop.index }}
    from {{ pairs }} as pairs
    inner join {{ places }} as places
        on pairs.query_id = places.query_id and pairs.doc_id = places.doc_id
    where places.system = {{ system | literal }}
{% endfor %}
),

-- what each query has of a part, and of what that is compared with
queries as (
    select
        rater,
        part,
        place,
        value,
        number,
        count(*) as pairs,
        count(*) as own_documents,
        sum(difference) as own_difference,
        cast(0 as bigint) as own_other_documents,
        cast(0 as {{ double }}) as own_other_difference
    from parts
    group by rater, part, place, value, number, query_id
{% for system in systems[1:] %}

    union all

    select
        pairs.rater,
        'system difference',
        4,
        {{ system | literal }},
        {{ loop.index }},
        count(distinct pairs.doc_id),
        count(case when places.system = {{ system | literal }} then 1 end),
        sum(case when places.system = {{ system | literal }} then pairs.difference else 0 end),
        count(case when places.system = {{ systems[0] | literal }} then 1 end),
        sum(case when places.system = {{ systems[0] | literal }} then pairs.difference else 0 end)
    from {{ pairs }} as pairs
    inner join {{ places }} as places
        on pairs.query_id = places.query_id and pairs.doc_id = places.doc_id
    where places.system in ({{ system | literal }}, {{ systems[0] | literal }})
    group by pairs.rater, pairs.query_id
{% endfor %}
),

together as (
    select
        *,
        sum(own_documents) over whole_part as documents,
        sum(own_difference) over whole_part as difference,
        sum(own_other_documents) over whole_part as other_documents,
        sum(own_other_difference) over whole_part as other_difference
    from queries
    window whole_part as (partition by rater, place, value)
),

-- the bias, and that without the query
left_out as (
    select
        *,
        difference / nullif(cast(documents as {{ double }}), 0) as own,
        (difference - own_difference) / nullif(cast(documents - own_documents as {{ double }}), 0) as own_left,
        case
            when place < 4 then 0
            else other_difference / nullif(cast(other_documents as {{ double }}), 0)
        end as other,
        case
            when place < 4 then 0
            else
                (other_difference - own_other_difference)
                / nullif(cast(other_documents - own_other_documents as {{ double }}), 0)
        end as other_left
    from together
),

influences as (
    select
        *,
        (own_left - other_left - (own - other)) * (count(*) over (partition by rater, place, value) - 1) as influence
    from left_out
)

select
    rater,
    part,
    value,
    cast(sum(pairs) as bigint) as pairs,
    count(*) as queries,
    any_value(own - other) as bias,
    any_value(abs(own) + abs(other)) as scale,
    count(influence) as left_out,
    sum(influence) as first_moment,
    sum(influence * influence) as second_moment,
    sum(influence * influence * influence) as third_moment,
    least(
        power(sum(own_documents), 2) / sum(power(own_documents, 2)),
        case when place = 4 then power(sum(own_other_documents), 2) / nullif(sum(power(own_other_documents, 2)), 0) end
    ) as effective
from influences
group by rater, part, place, value, number
order by rater asc, place asc, number asc, value asc
