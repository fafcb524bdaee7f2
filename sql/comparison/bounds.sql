-- the least and the largest mean difference of a pair of systems over all judgments that are missing, in each segment and
-- in total, which is segment 0
with

valued as (
    select
        paired.scope as scope,
{% if weighted %}
        paired.total_weight as total_weight,
        paired.scope_weight as scope_weight,
{% endif %}
{% for side in sides %}
        {{ side.low_other }}.{{ side.column | ident }} - {{ side.low_one }}.{{ side.column | ident }} as low_{{ loop.index }},
        {{ side.high_other }}.{{ side.column | ident }} - {{ side.high_one }}.{{ side.column | ident }} as high_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ paired }} as paired
{% for name, rows, system in tables %}
    inner join {{ rows }} as {{ name }}
        on paired.query_id = {{ name }}.query_id and {{ name }}.system = {{ system | literal }}
{% endfor %}
)

{% for total in [true, false] %}
select
    {%+ if total %}0 as {% endif %}scope,
{% for side in sides %}
{% set weight -%}
{% if not weighted or side.counts %}1.0{% elif total %}total_weight{% else %}scope_weight{% endif %}
{%- endset %}
    {{ exact_sum }}({{ weight }} * low_{{ loop.index }}){% if not side.counts %} / nullif({{ exact_sum }}({{ weight }}), 0){% endif %} as low_{{ loop.index }},
    {{ exact_sum }}({{ weight }} * high_{{ loop.index }}){% if not side.counts %} / nullif({{ exact_sum }}({{ weight }}), 0){% endif %} as high_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
from valued
{% if not total %}
group by scope
{% else %}

union all

{% endif %}
{% endfor %}
