-- the weighted differences and the weights as whole numbers, whose sums do not depend on their order
select
    query_id,
    scope,
{% for pair in pairs %}
    case
        when abs({{ pair.value | ident }} - {{ pair.baseline_value | ident }}) > {{ tolerance | literal }}
            then cast(floor({% if not pair.counts %}weight * {% endif %}({{ pair.value | ident }} - {{ pair.baseline_value | ident }}) * {{ scales[loop.index0] | literal }} + 0.5) as bigint)
        else 0
    end as difference_{{ loop.index }},
    case
        when {{ pair.value | ident }} is not null and {{ pair.baseline_value | ident }} is not null
            then cast(floor({% if not pair.counts %}weight * {% endif %}{{ weight_scale | literal }} + 0.5) as bigint)
        else 0
    end as weight_{{ loop.index }}{% if not loop.last %},{% endif %}

{% endfor %}
from {{ paired }}
