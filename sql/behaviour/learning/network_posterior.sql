{# The logarithm of what is maximised: the likelihood of the clicks, and the prior. #}
{% from "macros/priors.sql" import of_prior %}
select
    (select sum(likelihood) from {{ likely }}) as likelihood,
    {{ of_prior(prior, ["attraction", "satisfaction"], network) }} + {{ of_prior(prior, ["continuation"], continuation) }} as prior
