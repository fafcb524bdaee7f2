{% if exact %}
{# The ends of Beta distributions, each computed once. #}
select
    estimates.query_id,
    estimates.doc_id,
    estimates.relevance,
    ends.low,
    ends.high,
    estimates.impressions,
    estimates.clicks
from {{ estimates }} as estimates
inner join (
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
    )
) as ends on estimates.shape_a = ends.shape_a and estimates.shape_b = ends.shape_b
{% else %}
{# Wilson's score interval of the same rate of as many impressions: no engine has the ends of a Beta distribution. #}
select
    query_id,
    doc_id,
    relevance,
    (relevance + {{ (z * z / 2) | literal }} / shapes - {{ z | literal }} * sqrt(relevance * (1 - relevance) / shapes + {{ (z * z / 4) | literal }} / (shapes * shapes))) / (1 + {{ (z * z) | literal }} / shapes) as low,
    (relevance + {{ (z * z / 2) | literal }} / shapes + {{ z | literal }} * sqrt(relevance * (1 - relevance) / shapes + {{ (z * z / 4) | literal }} / (shapes * shapes))) / (1 + {{ (z * z) | literal }} / shapes) as high,
    impressions,
    clicks
from (
    select
        query_id,
        doc_id,
        relevance,
        shape_a + shape_b as shapes,
        impressions,
        clicks
    from {{ estimates }}
) as rates
{% endif %}
