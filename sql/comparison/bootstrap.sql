-- how many means of the bootstrap are as far from the observed one as that is from 0, and between which the middle lies
with

{% include "steps/observed.sql" %}
{% for number in pairs %}
select
    {{ number }} as pair,
    resampled.scope as scope,
    sum(
        case
            when resampled.mean_{{ number }} is null then 1
            when
                abs(resampled.mean_{{ number }} - cast(observed.difference_{{ number }} as {{ double }}) / nullif(observed.weight_{{ number }}, 0))
                >= abs(cast(observed.difference_{{ number }} as {{ double }}) / nullif(observed.weight_{{ number }}, 0)) * 0.999999999999
                then 1
            else 0
        end
    ) as extreme,
    quantile_cont(resampled.mean_{{ number }}, {{ outside | literal }} / 2) as low,
    quantile_cont(resampled.mean_{{ number }}, 1 - {{ outside | literal }} / 2) as high
from {{ resampled }} as resampled
inner join observed
    on resampled.scope = observed.scope
group by resampled.scope
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
