{% macro factor_of(measure, rows="") %}
{% for name in measure.factors %}{% if rows %}scores.{% endif %}{{ name | ident }}{% if not loop.last %} * {% endif %}{% endfor %}
{% endmacro %}
{% macro term_of(measure) %}
{% if measure.kind == "geometric" %}ln(case when {{ measure.column | ident }} < 0.00001 then 0.00001 else {{ measure.column | ident }} end)
{%- else %}{{ measure.column | ident }}
{%- endif %}
{% endmacro %}
-- means, spread and number of queries for each metric, over the per-query table
with

{% if statement %}
per_query as (
{% for line in statement %}
{% if line %}    {{ line }}{% endif %}

{% endfor %}
),

{% endif %}
{% if segments %}
-- every query twice: in its segment, and in the total
scoped as (
    select
        system,
{% for segment in segments %}
        {{ segment.alias | ident }},
{% endfor %}
        false as is_total,
{% if weighted %}
        weight,
{% endif %}
{% for measure in measures %}
{% if measure.rows_weight %}
        {{ measure.rows_weight | ident }},
{% endif %}
        {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {{ per_query }}

    union all

    select
        system,
{% for segment in segments %}
        '' as {{ segment.alias | ident }},
{% endfor %}
        true as is_total,
{% if weighted %}
        weight,
{% endif %}
{% for measure in measures %}
{% if measure.rows_weight %}
        {{ measure.rows_weight | ident }},
{% endif %}
        {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    from {{ per_query }}
),

{% endif %}
-- the mean of each metric, or its sum where it is a count
totals as (
    select
        system,
{% for segment in segments %}
        {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
        is_total,
{% endif %}
{% for measure in measures %}
        count({{ measure.column | ident }}) as {{ measure.queries | ident }},
{% if measure.kind == "sum" %}
        sum({{ measure.column | ident }}) as {{ measure.value | ident }}{% if not loop.last %},{% endif %}

{% elif measure.factors %}
        {{ exact_sum }}(case when {{ measure.column | ident }} is null then 0 else {{ factor_of(measure) }} end) as {{ measure.weight | ident }},
        {%+ if measure.kind == "geometric" %}exp({% endif %}{{ exact_sum }}({{ term_of(measure) }} * {{ factor_of(measure) }})
        / nullif({{ exact_sum }}(case when {{ measure.column | ident }} is null then 0 else {{ factor_of(measure) }} end), 0)
        {%- if measure.kind == "geometric" %}){% endif %} as {{ measure.value | ident }}{% if not loop.last %},{% endif %}

{% else %}
        {%+ if measure.kind == "geometric" %}exp({% endif %}{{ exact_sum }}({{ term_of(measure) }}) / nullif(count({{ measure.column | ident }}), 0)
        {%- if measure.kind == "geometric" %}){% endif %} as {{ measure.value | ident }}{% if not loop.last %},{% endif %}

{% endif %}
{% endfor %}
    from {% if segments %}scoped{% else %}{{ per_query }}{% endif %}

    group by system{% for segment in segments %}, {{ segment.alias | ident }}{% endfor %}{% if segments %}, is_total{% endif %}

),

-- the standard error of each mean; of a weighted one, that of the linearised ratio
spreads as (
    select
{% for segment in segments %}
        totals.{{ segment.alias | ident }} as {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
        totals.is_total as is_total,
{% endif %}
{% for measure in measures %}
        max(totals.{{ measure.queries | ident }}) as {{ measure.queries | ident }},
        max(totals.{{ measure.value | ident }}) as {{ measure.value | ident }},
{% if measure.kind == "mean" %}
        sqrt(
            {{ exact_sum }}(power({% if measure.factors %}{{ factor_of(measure, "scores") }} * ({% endif %}scores.{{ measure.column | ident }} - totals.{{ measure.value | ident }}{% if measure.factors %}){% endif %}, 2))
            * max(totals.{{ measure.queries | ident }}) / nullif(max(totals.{{ measure.queries | ident }}) - 1, 0)
        ) / nullif(max(totals.{% if measure.factors %}{{ measure.weight | ident }}{% else %}{{ measure.queries | ident }}{% endif %}), 0) as {{ measure.stderr | ident }},
{% endif %}
{% endfor %}
        totals.system as system
    from {% if segments %}scoped{% else %}{{ per_query }}{% endif %} as scores
    inner join totals
        on scores.system = totals.system
{%- for segment in segments %} and scores.{{ segment.alias | ident }} = totals.{{ segment.alias | ident }}{% endfor %}
{% if segments %} and scores.is_total = totals.is_total{% endif %}

    group by totals.system{% for segment in segments %}, totals.{{ segment.alias | ident }}{% endfor %}{% if segments %}, totals.is_total{% endif %}

)

{% if wide %}
select * from spreads
{% else %}
{% for measure in measures %}
select
    system,
{% for segment in segments %}
    case when is_total then null else {{ segment.alias | ident }} end as {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    is_total,
{% endif %}
    {{ measure.text | literal }} as metric,
    {{ measure.value | ident }} as value,
    {{ measure.queries | ident }} as queries,
    {%+ if measure.kind == "mean" %}{{ measure.stderr | ident }}{% else %}cast(null as {{ double }}){% endif %} as stderr
from spreads
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
{% endif %}
