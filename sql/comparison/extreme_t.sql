{% from "macros/student.sql" import squared_t %}
-- for each pair and segment, how many replicates have a t as large as its own, of whatever pair{% if false in scopes %} and segment{% endif +%}
with

{% set more = true %}
{% set squares = true %}
{% include "comparison/observed.sql" %}
replicates as (
    select
        is_total,
        replicate,
        max(largest) as largest
    from {{ largest }}
    group by is_total, replicate
),

found as (
{% for number in pairs %}
{% set sum %}difference_{{ number }}{% endset %}
{% set added %}squares_{{ number }}{% endset %}
{% set size %}size_{{ number }}{% endset %}
    select
        {{ number }} as pair,
        scope,
        {{ squared_t(sum, added, size, sides[loop.index0]) }} as squared_t
    from observed
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
)

-- one that is smaller by no more than rounding counts as equal
select
    found.pair as pair,
    found.scope as scope,
    sum(case when replicates.largest >= found.squared_t * (1 - 1e-9) then 1 else 0 end) as extreme
from found
inner join replicates
    on (found.scope = 0) = replicates.is_total
group by found.pair, found.scope
