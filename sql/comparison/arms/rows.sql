{# The rows of both sides of one pair, with the weights of the total, and values taken from the mean of all. #}
-- the rows of both sides; values are taken from the mean of all, so that sums of products keep their digits
valued as (
    select
        case when system = {{ pair.system | literal }} then 1 else 0 end as side,
        scope,
{% for segment in segments %}
        segment_{{ loop.index }},
{% endfor %}
        query_id,
        {% include "comparison/arms/unit.sql" %} as unit,
        {%+ if weighted and not pair.counts %}total_weight{% else %}1.0{% endif %} as weight,
        {{ pair.column | ident }} as value
    from {{ arms }}
    where system in ({{ pair.baseline | literal }}, {{ pair.system | literal }}) and {{ pair.column | ident }} is not null{% if weighted and not pair.counts %} and weight > 0{% endif +%}
),

means as (
    select
        {{ exact_sum }}(weight * value) / {{ exact_sum }}(weight) as mean
    from valued
),

centred as (
    select
        valued.* exclude (value),
        valued.value - means.mean as value,
        means.mean as mean
    from valued
    cross join means
),

