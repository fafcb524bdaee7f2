-- for each pair and segment, how many means of the bootstrap are on either side of 0, and those between which the middle lies;
-- a replicate in which no query stands has no mean, and is on both sides
with

{% for number in pairs %}
means_{{ number }} as (
    select
        resampled.scope as scope,
        {{ replicates }} - count(*) filter (where resampled.mean_{{ number }} > 0) as below,
        {{ replicates }} - count(*) filter (where resampled.mean_{{ number }} < 0) as above,
        list(resampled.mean_{{ number }} order by resampled.mean_{{ number }}) filter (where resampled.mean_{{ number }} is not null) as means
    from {{ resampled }} as resampled
    group by resampled.scope
),

-- where the ends are among the means in order: beyond the mean at a place, from either side
places_{{ number }} as (
    select
        means_{{ number }}.*,
        cast(floor(tails.tail * (len(means_{{ number }}.means) - 1)) as bigint) as place,
        tails.tail * (len(means_{{ number }}.means) - 1) - floor(tails.tail * (len(means_{{ number }}.means) - 1)) as beyond
    from means_{{ number }}
    inner join {{ tails }} as tails
        on tails.pair = {{ number }} and means_{{ number }}.scope = tails.scope
){% if not loop.last %},{% endif +%}

{% endfor %}
{% for number in pairs %}
select
    {{ number }} as pair,
    scope,
    below,
    above,
    means[place + 1] + beyond * (coalesce(means[place + 2], means[place + 1]) - means[place + 1]) as low,
    means[len(means) - place] + beyond * (coalesce(means[len(means) - place - 1], means[len(means) - place]) - means[len(means) - place]) as high
from places_{{ number }}
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
