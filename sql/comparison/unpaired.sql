-- for each candidate and metric, the queries with a value on both sides, and on one side only
select
{% for pair in pairs %}
    sum(case when {{ pair.value | ident }} is not null and {{ pair.baseline_value | ident }} is not null then 1 else 0 end) as paired_{{ loop.index }},
    sum(
        case
            when {{ pair.value | ident }} is null and {{ pair.baseline_value | ident }} is not null then 1
            when {{ pair.value | ident }} is not null and {{ pair.baseline_value | ident }} is null then 1
            else 0
        end
    ) as unpaired_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ paired }}
