-- the replicates in which what draws these bits keeps its sign: each choice of some of the bits is one, in which their sum is
-- even; any two choices differ in a bit, so that any two replicates are independent
select
    patterns.number as bits,
    chosen.number - 1 as digit
from {{ numbers }} as patterns
inner join {{ numbers }} as chosen
    on (
{% for bit in range(width) %}
        {%+ if not loop.first %}+ {% endif %}((patterns.number & chosen.number) >> {{ bit }} & 1)
{% endfor %}
    ) % 2 = 0
where
    patterns.number <= {{ 2 ** width - 1 }}
    and chosen.number >= 1
    and chosen.number <= {{ sharing }}
