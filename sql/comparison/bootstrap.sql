-- for each pair and segment, how many means of the bootstrap are on either side of 0, and those between which the middle lies;
-- a replicate in which no query stands has no mean, and is on both sides
with

means as (
{% for number in pairs %}
    select
        {{ number }} as pair,
        scope,
        mean_{{ number }} as mean
    from {{ resampled }}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

{% include "comparison/percentiles.sql" %}
