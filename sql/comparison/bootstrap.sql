-- for each pair and segment, how many means of the bootstrap are on either side of 0, and those between which the middle lies
with

{% for number in pairs %}
means_{{ number }} as (
    select
        resampled.scope as scope,
        count(*) filter (where resampled.mean_{{ number }} <= 0 or resampled.mean_{{ number }} is null) as below,
        count(*) filter (where resampled.mean_{{ number }} >= 0 or resampled.mean_{{ number }} is null) as above,
        list(resampled.mean_{{ number }} order by resampled.mean_{{ number }}) filter (where resampled.mean_{{ number }} is not null) as means
    from {{ resampled }} as resampled
    group by resampled.scope
),

-- where the ends are among the means in order
places_{{ number }} as (
    select
        means_{{ number }}.*,
        tails.tail * (len(means_{{ number }}.means) - 1) as place
    from means_{{ number }}
    inner join {{ tails }} as tails
        on tails.pair = {{ number }} and means_{{ number }}.scope = tails.scope
){% if not loop.last %},{% endif %}


{% endfor %}
{% for number in pairs %}
select
    {{ number }} as pair,
    scope,
    below,
    above,
    means[cast(floor(place) as bigint) + 1] * (1 - place + floor(place)) + means[cast(ceil(place) as bigint) + 1] * (place - floor(place)) as low,
    means[len(means) - cast(floor(place) as bigint)] * (1 - place + floor(place)) + means[len(means) - cast(ceil(place) as bigint)] * (place - floor(place)) as high
from places_{{ number }}
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
