-- the weighted differences and the weights as whole numbers, whose sums in floating point are exact in any order
select
    query_id,
    scope,
{% for pair in pairs %}
    floor(coalesce({% if weighted and not pair.counts %}{{ weight | ident }} * {% endif %}{{ pair.difference | ident }}, 0) * {{ scales[loop.index0] | literal }} + 0.5) as difference_{{ loop.index }},
    case
        when {{ pair.difference | ident }} is not null
            then floor({% if weighted and not pair.counts %}coalesce({{ weight | ident }}, 0) * {% endif %}{{ weight_scale | literal }} + 0.5)
        else 0
    end as weight_{{ loop.index }}{% if not loop.last %},{% endif %}

{% endfor %}
from {{ paired }}
