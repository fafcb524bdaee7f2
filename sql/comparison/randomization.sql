-- how many of the replicates, in which each difference keeps or changes its sign by chance, are as far from 0 as what
-- was observed; whole numbers, so that neither the order of rows nor the number of threads matters
with

{% include "comparison/draws.sql" %}
-- queries that draw the same ten bits are added once
alike as (
    select
        scope,
        place,
        ten,
{% for number in pairs %}
        sum(difference_{{ number }}) as difference_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
    from tens
    group by scope, place, ten
),

-- and those that are alike in five of them
halves as (
    select
        alike.scope as scope,
        alike.place * 2 + sides.number as half,
        (alike.ten >> (sides.number * 5)) & 31 as five,
{% for number in pairs %}
        sum(alike.difference_{{ number }}) as difference_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
    from alike
    cross join {{ numbers }} as sides
    where sides.number < 2
    group by alike.scope, alike.place * 2 + sides.number, (alike.ten >> (sides.number * 5)) & 31
),

-- the sum of the differences that keep their sign: each bit is a replicate
kept as (
    select
        halves.scope as scope,
        halves.half * 5 + bits.number as replicate,
{% for number in pairs %}
        sum(case when (halves.five >> bits.number) & 1 = 1 then halves.difference_{{ number }} else 0 end) as kept_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
    from halves
    cross join {{ numbers }} as bits
    where bits.number < 5
    group by halves.scope, halves.half * 5 + bits.number
),

replicates as (
{% for total in scopes %}
    select
        {%+ if total %}0 as scope{% else %}scope{% endif %},
        replicate,
{% for number in pairs %}
        {%+ if total %}sum(kept_{{ number }}) as kept_{{ number }}{% else %}kept_{{ number }}{% endif %}{% if not loop.last %},{% endif %}

{% endfor %}
    from kept
    where replicate < {{ replicates }}
{% if total %}
    group by replicate
{% endif %}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

{% include "comparison/observed.sql" %}
-- a sum that is off by no more than what was rounded counts as equal
select
    replicates.scope as scope,
{% for number in pairs %}
    sum(
        case
            when abs(2 * replicates.kept_{{ number }} - observed.difference_{{ number }}) >= abs(observed.difference_{{ number }}) - observed.changed_{{ number }} then 1
            else 0
        end
    ) as extreme_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
from replicates
inner join observed
    on replicates.scope = observed.scope
group by replicates.scope
