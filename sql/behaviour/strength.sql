{# The Beta prior of the click rates of pairs: its mean `rate`, its strength in impressions, and `doubt`, the standard deviation
   of 1 / (1 + shape), which is 0.24 where the log does not tell it.

   The shape is the smaller one of the prior. Each of 81, from 1 / 256 to 4,096, has the marginal likelihood of the counts (the
   beta-binomial one), so that a pair that was seen once says nothing. 1 / (1 + shape) has the density 2x from 0 to 1 beforehand,
   and its mean is taken: where the counts tell nothing a shape of 1/2, half a click, as in the prior of Jeffreys. #}
{% from "macros/gamma.sql" import log_gamma %}
{% macro counts() %}
(
            -- a pair counts by how often it was shown and clicked alone
            select
                clicks,
                impressions,
                cast(count(*) as {{ double }}) as pairs
            from (
                select
                    cast(sum(impressions) as {{ double }}) as impressions,
                    cast(sum(clicks) as {{ double }}) as clicks
                from {{ cells }}
                group by query_id, doc_id
            ) as of_pairs
            group by clicks, impressions
        ) as counts
{%- endmacro %}
{% macro shapes() %}
(
                select
                    least_rate,
                    overall,
                    steps.shape * leaps.shape as shape,
                    steps.shape * leaps.shape / least_rate as strength
                from (
                    select
                        overall,
                        case when overall < {{ 0.5 | literal }} then overall else 1 - overall end as least_rate
                    from (
                        select
                            (cast(sum(clicks) as {{ double }}) + {{ 0.5 | literal }}) / (sum(impressions) + 1) as overall
                        from {{ cells }}
                    ) as of_all
                ) as totals
                cross join (
{% for step in range(9) %}
                    {%+ if not loop.first %}union all {% endif %}select {{ (2.0 ** (step / 4)) | literal }} as shape
{% endfor %}
                ) as steps
                cross join (
{% for leap in range(9) %}
                    {%+ if not loop.first %}union all {% endif %}select {{ (2.0 ** (leap * 9 / 4 - 8)) | literal }} as shape
{% endfor %}
                ) as leaps
            ) as shapes
{%- endmacro %}
select
    rate,
    (1 / share - 1) / least_rate as strength,
    sqrt(case when squares > share * share then squares - share * share else 0 end) as doubt
from (
    select
        least_rate,
        sum(likelihood * weight * rate) / sum(likelihood * weight) as rate,
        sum(likelihood * weight / (1 + shape)) / sum(likelihood * weight) as share,
        sum(likelihood * weight / (1 + shape) / (1 + shape)) / sum(likelihood * weight) as squares
    from (
        select
            shape,
            rate,
            least_rate,
            -- shapes are even by their logarithm
            shape / (1 + shape) / (1 + shape) / (1 + shape) as weight,
            exp(logarithm - max(logarithm) over ()) as likelihood
        from (
            select
                shape,
                rate,
                least_rate,
                of_counts - pairs * ({{ log_gamma("shape_a") }})
                - pairs * ({{ log_gamma("shape_b") }})
                + pairs * ({{ log_gamma("strength") }}) as logarithm
            from (
                select
                    shape,
                    rate,
                    least_rate,
                    strength,
                    shape_a,
                    shape_b,
                    sum(pairs) as pairs,
                    sum(
                        pairs * (
                            {{ log_gamma("of_clicks") }}
                            + {{ log_gamma("of_others") }}
                            - ({{ log_gamma("of_impressions") }})
                        )
                    ) as of_counts
                from (
                    select
                        rates.shape,
                        rates.rate,
                        rates.least_rate,
                        rates.strength,
                        rates.rate * rates.strength as shape_a,
                        (1 - rates.rate) * rates.strength as shape_b,
                        counts.pairs,
                        rates.rate * rates.strength + counts.clicks as of_clicks,
                        (1 - rates.rate) * rates.strength + counts.impressions - counts.clicks as of_others,
                        rates.strength + counts.impressions as of_impressions
                    from {{ counts() | indent | indent | indent }}
                    cross join (
                        -- the mean that serves a strength best, with one impression of the rate of all
                        select
                            shapes.shape,
                            shapes.least_rate,
                            shapes.strength,
                            (sum(counts.pairs * counts.clicks / (counts.impressions + shapes.strength)) + max(shapes.overall) / (1 + shapes.strength))
                            / (sum(counts.pairs * counts.impressions / (counts.impressions + shapes.strength)) + 1 / (1 + shapes.strength)) as rate
                        from {{ counts() | indent | indent | indent | indent | indent }}
                        cross join {{ shapes() | indent | indent | indent }}
                        group by shapes.shape, shapes.least_rate, shapes.strength
                    ) as rates
                ) as crossed
                group by shape, rate, least_rate, strength, shape_a, shape_b
            ) as summed
        ) as with_likelihoods
    ) as weighed
    group by least_rate
) as expected
