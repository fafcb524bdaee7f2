{% from "macros/means.sql" import known_weight %}
{% if scoping %}
-- every query{% if segments %} twice: in its segment, and in the total{% endif %}{% if weighted %}, its weight as a share of the largest one there{% endif %}{% if cluster %}; one without results whose
-- cluster nobody says is one of its own{% endif +%}
scoped as (
{% for is_total in [false, true] %}
{% if segments or is_total %}
    select
        system,
{% for segment in segments %}
        {%+ if is_total %}'' as {% endif %}{{ segment.alias | ident }},
{% endfor %}
{% if segments %}
        {{ is_total | literal }} as is_total,
{% endif %}
{% if weighted %}
        weight / nullif(max(weight) over (partition by system{% if not is_total %}{% for segment in segments %}, {{ segment.alias | ident }}{% endfor %}{% endif %}), 0) as weight,
{% endif %}
{% if cluster %}
        case {{ cluster.alias | ident }} when '(no results)' then 'query ' || query_id else {{ cluster.alias | ident }} end as sqlrank_cluster,
{% endif %}
{% for measure in measures %}
{% if measure.rows_weight %}
{% set within %}partition by system{% if not is_total %}{% for segment in segments %}, {{ segment.alias | ident }}{% endfor %}{% endif %}{% endset %}
        {{ known_weight(measure, measure.rows_weight, within) }}{% if measure.averaged %} as {{ measure.rows_weight | ident }}{% endif %},
{% endif %}
        {{ measure.column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ per_query }}
{% if not is_total %}

    union all

{% endif %}
{% endif %}
{% endfor %}
),

{% endif %}
