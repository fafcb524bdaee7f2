-- the weighted differences and the weights as whole numbers, whose sums in floating point are exact in any order{% if clustered %}; those
-- of a cluster are added, and `rounded` counts what was rounded{% endif +%}
{% if clustered %}
with

scaled as (
{% endif %}
select
    {%+ if clustered %}cluster as {% endif %}query_id,
    {%+ if scopes == [true] %}0 as {% endif %}scope,
{% for pair in pairs %}
    floor(coalesce({% if weighted and not pair.counts %}{{ weight | ident }} * {% endif %}{{ pair.difference | ident }}, 0) * {{ scales[loop.index0] | literal }} + 0.5) as difference_{{ loop.index }},
    case
        when {{ pair.difference | ident }} is not null
            then cast(floor({% if weighted and not pair.counts %}coalesce({{ weight | ident }}, 0) * {% endif %}{{ weight_scale | literal }} + 0.5) as {{ double }})
        else 0
    end as weight_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ paired }}
{% if clustered %}
)

select
    query_id,
    scope,
{% for pair in pairs %}
    sum(difference_{{ loop.index }}) as difference_{{ loop.index }},
    sum(case when difference_{{ loop.index }} <> 0 then 1 else 0 end) as rounded_{{ loop.index }},
    sum(weight_{{ loop.index }}) as weight_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from scaled
group by query_id, scope
{% endif %}
