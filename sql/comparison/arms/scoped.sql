{# The values of both sides of each pair; side 0 is the baseline. `totals` says of the total, of segments, or of both. #}
-- the values of both sides: a row for each pair, side and query that counts, in the total, which is segment 0, and in its segment
scoped as (
{% for total in totals %}
{% set outer_totals = loop %}
{% for pair in sides %}
{% set weighs = weighted and not pair.counts %}
    select
        {{ pair.number }} as pair,
        {%+ if total %}0 as {% endif %}scope,
{% for segment in segments %}
        {%+ if total %}cast(null as {{ text }}) as {% endif %}segment_{{ loop.index }},
{% endfor %}
        case when system = {{ pair.system | literal }} then 1 else 0 end as side,
        query_id,
        {% include "comparison/arms/unit.sql" %} as unit,
        {%+ if not weighs %}1.0{% elif total %}total_weight{% else %}scope_weight{% endif %} as weight,
        {{ pair.column | ident }} as value
    from {{ arms }}
    where system in ({{ pair.baseline | literal }}, {{ pair.system | literal }}) and {{ pair.column | ident }} is not null{% if weighs %} and weight > 0{% endif +%}
{% if not (loop.last and outer_totals.last) %}

    union all

{% endif %}
{% endfor %}
{% endfor %}
),

