{# The logarithm of what is maximised: the likelihood of the clicks, and the prior of what is learned. #}
{% from "macros/priors.sql" import of_prior %}
select
    (
        select
            sum(case when clicks > 0 then clicks * ln(attraction * propensity) else 0 end
                + case when impressions > clicks then (impressions - clicks) * ln(1 - attraction * propensity) else 0 end)
        from {{ counted }} as counted
        inner join {{ attraction }} as attraction on counted.pair = attraction.pair
        inner join {{ examination }} as examination on counted.position = examination.position
    ) as likelihood,
    {{ of_prior(prior, ["attraction"], attraction) }}{% if not known %} + {{ of_prior(prior, ["propensity"], examination) }}{% endif %} as prior
