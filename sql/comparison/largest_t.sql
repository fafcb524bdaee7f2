{% from "macros/student.sql" import squared_t %}
-- the largest square of t of all pairs in each replicate, of the total and of all segments
with

{% set more = false %}
{% set squares = true %}
{% include "comparison/observed.sql" %}
select
    signed.scope = 0 as is_total,
    signed.replicate as replicate,
    max(greatest(
        0
{% for number in pairs %}
{% set sum %}2 * signed.kept_{{ number }} - observed.difference_{{ number }}{% endset %}
{% set added %}observed.squares_{{ number }}{% endset %}
{% set size %}observed.size_{{ number }}{% endset %}
        , {{ squared_t(sum, added, size, sides[loop.index0]) }}
{% endfor %}
    )) as largest
from {{ signed }} as signed
inner join observed
    on signed.scope = observed.scope
{% if group %}
where signed.scope <> 0
{% endif %}
group by signed.scope = 0, signed.replicate
