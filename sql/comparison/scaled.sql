-- the weighted differences and the weights as whole numbers, whose sums do not depend on their order
select
    query_id,
    scope,
{% for pair in pairs %}
    cast(floor(coalesce({% if weighted and not pair.counts %}{{ weight | ident }} * {% endif %}{{ pair.difference | ident }}, 0) * {{ scales[loop.index0] | literal }} + 0.5) as bigint) as difference_{{ loop.index }},
    case
        when {{ pair.difference | ident }} is not null
            then cast(floor({% if weighted and not pair.counts %}coalesce({{ weight | ident }}, 0) * {% endif %}{{ weight_scale | literal }} + 0.5) as bigint)
        else 0
    end as weight_{{ loop.index }}{% if not loop.last %},{% endif %}

{% endfor %}
from {{ paired }}
