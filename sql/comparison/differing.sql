{# The differences of all pairs, in the table of the values side by side. #}
-- the values with their differences; a difference within the rounding of its values is a tie, and no difference
with

sized as (
    select
        query_id,
        scope,
{% for segment in segments %}
        segment_{{ loop.index }},
{% endfor %}
        weight,
{% if cluster %}
        cluster,
{% endif %}
{% for column in columns %}
        {{ column | ident }},
{% endfor %}
{% for pair in pairs %}
        {{ noise | literal }} * max(greatest(abs({{ pair.value | ident }}), abs({{ pair.baseline_value | ident }}))) over () as noise_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ values }}
)

select
    *,
{% if weighted %}
    weight / nullif(max(weight) over (), 0) as total_weight,
    weight / nullif(max(weight) over (partition by scope), 0) as scope_weight,
{% endif %}
{% for pair in pairs %}
    case
        when abs({{ pair.value | ident }} - {{ pair.baseline_value | ident }}) <= greatest({{ tolerance | literal }} * greatest(abs({{ pair.value | ident }}), abs({{ pair.baseline_value | ident }})), noise_{{ loop.index }})
            then 0
        else {{ pair.value | ident }} - {{ pair.baseline_value | ident }}
    end as {{ pair.difference | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from sized
