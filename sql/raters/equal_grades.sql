{# How far the bias on documents of each system is from that on those of the first one among documents to which the
   reference gave one grade: the mean of the differences at each grade, weighed by documents of the one times those of the
   other over those of both, which is the coefficient of the system next to one of each grade. `places` are the first
   documents of `systems`; influences are as in bias.sql. #}
-- by how much the bias differs between systems at equal grades, and the sums of the influences of queries
with

cells as (
{% for system in systems[1:] %}
    select
        pairs.rater,
        {{ system | literal }} as value,
        {{ loop.index }} as number,
        pairs.query_id,
        pairs.reference_grade,
        count(distinct pairs.doc_id) as pairs,
        count(case when places.system = {{ system | literal }} then 1 end) as documents,
        sum(case when places.system = {{ system | literal }} then pairs.difference else 0 end) as difference,
        count(case when places.system = {{ systems[0] | literal }} then 1 end) as other_documents,
        sum(case when places.system = {{ systems[0] | literal }} then pairs.difference else 0 end) as other_difference
    from {{ pairs }} as pairs
    inner join {{ places }} as places
        on pairs.query_id = places.query_id and pairs.doc_id = places.doc_id
    where
        places.system in ({{ system | literal }}, {{ systems[0] | literal }})
        and pairs.rater in ({% for rater in raters %}{{ rater | literal }}{% if not loop.last %}, {% endif %}{% endfor %})
    group by pairs.rater, pairs.query_id, pairs.reference_grade
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

grades as (
    select
        rater,
        value,
        reference_grade,
        sum(documents) as documents,
        sum(difference) as difference,
        sum(other_documents) as other_documents,
        sum(other_difference) as other_difference
    from cells
    group by rater, value, reference_grade
),

queries as (
    select
        rater,
        value,
        number,
        query_id,
        sum(pairs) as pairs,
        sum(documents) as documents,
        sum(other_documents) as other_documents
    from cells
    group by rater, value, number, query_id
),

-- what is left of each grade without the query
without as (
    select
        queries.rater,
        queries.value,
        queries.query_id,
        cast(grades.documents - coalesce(cells.documents, 0) as {{ double }}) as documents,
        grades.difference - coalesce(cells.difference, 0) as difference,
        cast(grades.other_documents - coalesce(cells.other_documents, 0) as {{ double }}) as other_documents,
        grades.other_difference - coalesce(cells.other_difference, 0) as other_difference
    from queries
    inner join grades
        on queries.rater = grades.rater and queries.value = grades.value
    left join cells
        on
            queries.rater = cells.rater
            and queries.value = cells.value
            and queries.query_id = cells.query_id
            and grades.reference_grade = cells.reference_grade
),

left_out as (
    select
        rater,
        value,
        query_id,
        sum((other_documents * difference - documents * other_difference) / nullif(documents + other_documents, 0))
        / nullif(sum(documents * other_documents / nullif(documents + other_documents, 0)), 0) as bias
    from without
    group by rater, value, query_id
),

whole as (
    select
        rater,
        value,
        sum((other_documents * difference - documents * other_difference) / (documents + other_documents))
        / nullif(sum(documents * other_documents / (documents + other_documents)), 0) as bias,
        sum(abs(difference)) / nullif(sum(documents), 0)
        + sum(abs(other_difference)) / nullif(sum(other_documents), 0) as scale
    from (
        select
            rater,
            value,
            cast(documents as {{ double }}) as documents,
            difference,
            cast(other_documents as {{ double }}) as other_documents,
            other_difference
        from grades
    ) as numbers
    group by rater, value
),

influences as (
    select
        queries.*,
        whole.bias,
        whole.scale,
        (left_out.bias - whole.bias) * (count(*) over (partition by queries.rater, queries.value) - 1) as influence
    from queries
    inner join left_out
        on
            queries.rater = left_out.rater
            and queries.value = left_out.value
            and queries.query_id = left_out.query_id
    inner join whole
        on queries.rater = whole.rater and queries.value = whole.value
)

select
    rater,
    'at equal grades' as part,
    value,
    cast(sum(pairs) as bigint) as pairs,
    count(*) as queries,
    any_value(bias) as bias,
    any_value(scale) as scale,
    count(influence) as left_out,
    sum(influence) as first_moment,
    sum(influence * influence) as second_moment,
    sum(influence * influence * influence) as third_moment,
    least(
        power(sum(documents), 2) / sum(power(documents, 2)),
        power(sum(other_documents), 2) / sum(power(other_documents, 2))
    ) as effective
from influences
group by rater, value, number
order by rater asc, number asc
