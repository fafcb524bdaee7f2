-- how many of the replicates, in which each difference keeps or changes its sign by chance, are as far from 0{% if side %}, on one side,{% endif %} as what
-- was observed; whole numbers, so that neither the order of rows nor the number of threads matters
with

{% set width = 6 %}
{% set often = 10 %}
{% set mask = 63 %}
{% include "comparison/draws.sql" %}
-- queries that draw the same bits are added once: few sums, which stay in the cache of the processor
alike as (
    select
        scope,
        place,
        bits,
{% for number in pairs %}
        sum(difference_{{ number }}) as difference_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
    from pieces
    group by scope, place, bits
),

-- the sum of the differences that keep their sign: each bit is a replicate
kept as (
    select
        alike.scope as scope,
        alike.place * {{ width }} + digits.number as replicate,
{% for number in pairs %}
        sum(case when (alike.bits >> digits.number) & 1 = 1 then alike.difference_{{ number }} else 0 end) as kept_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
    from alike
    cross join {{ numbers }} as digits
    where digits.number < {{ width }}
    group by alike.scope, alike.place * {{ width }} + digits.number
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
{% if side == 1 %}
            when 2 * replicates.kept_{{ number }} - observed.difference_{{ number }} >= observed.difference_{{ number }} - observed.changed_{{ number }} then 1
{% elif side == -1 %}
            when 2 * replicates.kept_{{ number }} - observed.difference_{{ number }} <= observed.difference_{{ number }} + observed.changed_{{ number }} then 1
{% else %}
            when abs(2 * replicates.kept_{{ number }} - observed.difference_{{ number }}) >= abs(observed.difference_{{ number }}) - observed.changed_{{ number }} then 1
{% endif %}
            else 0
        end
    ) as extreme_{{ number }}{% if not loop.last %},{% endif %}

{% endfor %}
from replicates
inner join observed
    on replicates.scope = observed.scope
group by replicates.scope
