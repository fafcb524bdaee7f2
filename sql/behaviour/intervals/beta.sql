{# The mean of a distribution with a shape near 0 may lie beyond its own quantiles: then it is the end. #}
{% macro end_below() %}case when low > relevance then relevance else low end as low{% endmacro %}
{% macro end_above() %}case when high < relevance then relevance else high end as high{% endmacro %}
{% if exact %}
{# The ends of Beta distributions, each computed once. #}
select
    estimates.query_id,
    estimates.doc_id,
    estimates.relevance,
    {{ end_below() }},
    {{ end_above() }},
    estimates.impressions,
    estimates.clicks
from {{ estimates }} as estimates
left join (
    select
        shape_a,
        shape_b,
        {{ f.quantile_of_beta | ident }}(shape_a, shape_b, {{ -z | literal }}, {{ tail | literal }}) as low,
        {{ f.quantile_of_beta | ident }}(shape_a, shape_b, {{ z | literal }}, {{ (1 - tail) | literal }}) as high
    from (
        select distinct
            cast(shape_a as double) as shape_a,
            cast(shape_b as double) as shape_b
        from {{ estimates }}
        where shape_a > 0 and shape_b > 0
    )
) as ends on estimates.shape_a = ends.shape_a and estimates.shape_b = ends.shape_b
where estimates.relevance is not null
{% else %}
{# No engine has the ends of a Beta distribution. A ratio of Gamma variables is about as the ratio of cubes of normal ones (E.
   Paulson, Annals of Mathematical Statistics 13, 1942); it is told of the smaller shape, for which that serves best. #}
select
    query_id,
    doc_id,
    relevance,
    {{ end_below() }},
    {{ end_above() }},
    impressions,
    clicks
from (
    select
        query_id,
        doc_id,
        relevance,
        case when shape_a <= shape_b then low else 1 - high end as low,
        case when shape_a <= shape_b then high else 1 - low end as high,
        impressions,
        clicks
    from (
        select
            query_id,
            doc_id,
            relevance,
            shape_a,
            shape_b,
            case
                when factor > 0 and middle > deviation
                    then smaller * power((middle - deviation) / factor, 3) / (larger + smaller * power((middle - deviation) / factor, 3))
                else 0
            end as low,
            case
                when factor > 0 and smaller > 0
                    then smaller * power((middle + deviation) / factor, 3) / (larger + smaller * power((middle + deviation) / factor, 3))
                else 1
            end as high,
            impressions,
            clicks
        from (
            select
                query_id,
                doc_id,
                relevance,
                shape_a,
                shape_b,
                smaller,
                larger,
                power(1 - 1 / (9.0 * larger), 2) - {{ (z * z / 9) | literal }} / larger as factor,
                (1 - 1 / (9.0 * larger)) * (1 - 1 / (9.0 * smaller)) as middle,
                {{ z | literal }} * sqrt(case when under > 0 then under else 0 end) as deviation,
                impressions,
                clicks
            from (
                select
                    query_id,
                    doc_id,
                    relevance,
                    shape_a,
                    shape_b,
                    smaller,
                    larger,
                    power(1 - 1 / (9.0 * larger), 2) / (9.0 * smaller) + power(1 - 1 / (9.0 * smaller), 2) / (9.0 * larger)
                    - {{ (z * z / 81) | literal }} / (smaller * larger) as under,
                    impressions,
                    clicks
                from (
                    select
                        query_id,
                        doc_id,
                        relevance,
                        shape_a,
                        shape_b,
                        -- a shape of 0 is no distribution: its ends are 0 and 1
                        nullif(cast(case when shape_a <= shape_b then shape_a else shape_b end as {{ double }}), 0) as smaller,
                        nullif(cast(case when shape_a <= shape_b then shape_b else shape_a end as {{ double }}), 0) as larger,
                        impressions,
                        clicks
                    from {{ estimates }}
                ) as shapes
            ) as parts
        ) as roots
    ) as ends
) as both_ends
{% endif %}
