{# One row with the metrics side by side: every step between rows costs Spark a stage. #}
{% from "macros/means.sql" import term_of %}
{% macro factor_of(measure, rows="") %}
{% for name in measure.factors %}{% if rows %}scores.{% endif %}{{ name | ident }}{% if not loop.last %} * {% endif %}{% endfor %}
{% endmacro %}
{% macro counts_in(measure, rows="") %}
{% if rows %}scores.{% endif %}{{ measure.column | ident }} is not null{% if measure.factors %} and {{ factor_of(measure, rows) }} > 0{% endif %}
{% endmacro %}
{% macro two_valued(measure) %}
min(case when {{ counts_in(measure, "scores") }} then case when scores.{{ measure.column | ident }} in (totals.{{ measure.least | ident }}, totals.{{ measure.most | ident }}) then 1 else 0 end end) = 1
{%- endmacro %}
{% set scope %}system{% for segment in segments %}, {{ segment.alias | ident }}{% endfor %}{% if segments %}, is_total{% endif %}{% endset %}
{% set rows %}{% if scoping %}scoped{% else %}{{ per_query }}{% endif %}{% endset %}
-- means, spread and number of queries for each metric, over the per-query table; a weight of 0 leaves a query out
with

{% include "summary/scoped.sql" %}
-- the mean of each metric, or its sum where it is a count
totals as (
    select
        {{ scope }},
{% for measure in measures %}
{% if measure.kind == "sum" %}
        count({{ measure.column | ident }}) as {{ measure.queries | ident }},
        sum({{ measure.column | ident }}) as {{ measure.value | ident }}{% if not loop.last %},{% endif +%}
{% elif measure.factors %}
        sum(case when {{ counts_in(measure) }} then 1 else 0 end) as {{ measure.queries | ident }},
        sum(case when {{ counts_in(measure) }} then {{ factor_of(measure) }} else 0 end) as {{ measure.weight | ident }},
        sum(case when {{ counts_in(measure) }} then power({{ factor_of(measure) }}, 2) else 0 end) as {{ measure.squares | ident }},
        min(case when {{ counts_in(measure) }} then {{ measure.column | ident }} end) as {{ measure.least | ident }},
        max(case when {{ counts_in(measure) }} then {{ measure.column | ident }} end) as {{ measure.most | ident }},
        {%+ if measure.kind == "geometric" %}exp({% endif %}sum(case when {{ counts_in(measure) }} then {{ term_of(measure) }} * {{ factor_of(measure) }} end)
        / sum(case when {{ counts_in(measure) }} then {{ factor_of(measure) }} end)
        {%- if measure.kind == "geometric" %}){% endif %} as {{ measure.value | ident }}{% if not loop.last %},{% endif +%}
{% else %}
        count({{ measure.column | ident }}) as {{ measure.queries | ident }},
        min({{ measure.column | ident }}) as {{ measure.least | ident }},
        max({{ measure.column | ident }}) as {{ measure.most | ident }},
        {%+ if measure.kind == "geometric" %}exp({% endif %}sum({{ term_of(measure) }}) / nullif(count({{ measure.column | ident }}), 0)
        {%- if measure.kind == "geometric" %}){% endif %} as {{ measure.value | ident }}{% if not loop.last %},{% endif +%}
{% endif %}
{% endfor %}
    from {{ rows }}
    group by {{ scope }}
),

-- the standard error of each mean; of a weighted one by the jackknife, in which each query is left out once
spreads as (
    select /*+ broadcast(totals) */
{% for measure in measures %}
        max(totals.{{ measure.queries | ident }}) as {{ measure.queries | ident }},
        max(totals.{{ measure.value | ident }}) as {{ measure.value | ident }},
{% if measure.kind == "mean" %}
{% if measure.factors %}
        case
            when max(totals.{{ measure.queries | ident }}) > 1 and max({{ factor_of(measure, "scores") }}) < max(totals.{{ measure.weight | ident }})
                then
                    sqrt(
                        sum(power({{ factor_of(measure, "scores") }} * (scores.{{ measure.column | ident }} - totals.{{ measure.value | ident }}) / nullif(1 - {{ factor_of(measure, "scores") }} / nullif(totals.{{ measure.weight | ident }}, 0), 0), 2))
                        * (max(totals.{{ measure.queries | ident }}) - 1) / max(totals.{{ measure.queries | ident }})
                    ) / max(totals.{{ measure.weight | ident }})
        end as {{ measure.stderr | ident }},
        max(power(totals.{{ measure.weight | ident }}, 2) / nullif(totals.{{ measure.squares | ident }}, 0)) as {{ measure.effective | ident }},
{% else %}
        sqrt(
            sum(power(scores.{{ measure.column | ident }} - totals.{{ measure.value | ident }}, 2))
            * max(totals.{{ measure.queries | ident }}) / nullif(max(totals.{{ measure.queries | ident }}) - 1, 0)
        ) / nullif(max(totals.{{ measure.queries | ident }}), 0) as {{ measure.stderr | ident }},
        cast(max(totals.{{ measure.queries | ident }}) as {{ double }}) as {{ measure.effective | ident }},
{% endif %}
        sum(power({% if measure.factors %}{{ factor_of(measure, "scores") }} * ({% endif %}scores.{{ measure.column | ident }} - totals.{{ measure.value | ident }}{% if measure.factors %}){% endif %}, 3))
        / nullif(power(sum(power({% if measure.factors %}{{ factor_of(measure, "scores") }} * ({% endif %}scores.{{ measure.column | ident }} - totals.{{ measure.value | ident }}{% if measure.factors %}){% endif %}, 2)), 1.5), 0) as {{ measure.skewness | ident }},
{% for end in [measure.least, measure.most] %}
        case when {{ two_valued(measure) }} then max(totals.{{ end | ident }}) end as {{ end | ident }},
{% endfor %}
{% endif %}
{% endfor %}
        {{ scope }}
    from {{ rows }} as scores
    inner join totals
        using ({{ scope }})
    group by {{ scope }}
)

select * from spreads
