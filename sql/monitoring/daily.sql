{% from "macros/days.sql" import day_of, has_day %}
{% macro named(columns) %}{% for name in columns %}{{ name | ident }}, {% endfor %}{% endmacro %}
{# Of a relation of per-query rows. A source is the column of a row, and its name here. #}
-- the value of each metric on each day: the mean of its queries{% if weighted %}, weighted{% endif %}{% if counts %}, or the sum of what is counted{% endif +%}
with

-- the rows of the queries, with their days
dated as {{ inline }}(
    select
        {%+ if system %}{{ system | literal }}{% else %}system{% endif %} as system,
{% for column, name in segments %}
        {{ column | ident }} as {{ name | ident }},
{% endfor %}
        {{ day_of(day) }} as day,
{% if weighted %}
        cast(weight as {{ double }}) as weight,
{% endif %}
{% for measure in measures %}
        cast({{ measure.column | ident }} as {{ double }}) as {{ measure.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ per_query }}
    where {{ has_day(day) }}
),

-- a row for each metric
observed as {{ inline }}(
{% for measure in measures %}
    select system, {% for _, name in segments %}{{ name | ident }}, {% endfor %}day, {{ measure.text | literal }} as metric, {% if weighted %}{% if measure.is_count %}{{ one }} as weight{% else %}weight{% endif %}{% else %}{{ one }} as weight{% endif %}, {{ measure.name | ident }} as value
    from dated
    where {{ measure.name | ident }} is not null{% if weighted and not measure.is_count %} and weight > 0{% endif +%}
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
){% if segments %},

-- each query twice: in its segment, and in the total
scoped as {{ inline }}(
    select system, {% for _, name in segments %}{{ name | ident }}, {% endfor %}1 as of_segment, day, metric, weight, value
    from observed
    union all
    select system, {% for _, name in segments %}null as {{ name | ident }}, {% endfor %}0 as of_segment, day, metric, weight, value
    from observed
){% endif %},

-- what the queries of a day sum up to
summed as (
    select
        system,
{% for _, name in segments %}
        {{ name | ident }},
{% endfor %}
{% if segments %}
        of_segment,
{% endif %}
        metric,
        day,
        count(*) as queries,
{% if weighted %}
        {{ exact_sum }}(weight) as weights,
        {{ exact_sum }}(weight * weight) as squared_weights,
        {{ exact_sum }}(weight * weight * value) as products,
{% endif %}
        {{ exact_sum }}({% if weighted %}weight * {% endif %}value) as total,
        {{ exact_sum }}({% if weighted %}weight * weight * {% endif %}value * value) as squares
    from {% if segments %}scoped{% else %}observed{% endif +%}
    group by system, {% for _, name in segments %}{{ name | ident }}, {% endfor %}{% if segments %}of_segment, {% endif %}metric, day
),

-- their mean, and the square of its standard error, without the degree of freedom that the mean takes
averaged_days as (
    select
        system,
{% for _, name in segments %}
        {{ name | ident }},
{% endfor %}
{% if segments %}
        of_segment,
{% endif %}
        metric,
        day,
        queries,
        total,
{% if weighted %}
        total / weights as mean,
        (squares - 2 * (total / weights) * products + (total / weights) * (total / weights) * squared_weights) / (weights * weights) as squared_error
{% else %}
        total / queries as mean,
        (squares - total * total / queries) / queries / queries as squared_error
{% endif %}
    from summed
)

{% set is_count %}metric in ({% for text in counts %}{{ text | literal }}{% if not loop.last %}, {% endif %}{% endfor %}){% endset %}
select
    system,
{% for _, name in segments %}
    {{ name | ident }},
{% endfor %}
{% if segments %}
    of_segment,
{% endif %}
    metric,
    day,
    {%+ if counts %}case when {{ is_count }} then total else mean end{% else %}mean{% endif %} as value,
    queries,
    case
        when {% if counts %}{{ is_count }} or {% endif %}queries < 2 then null
        when squared_error > 0 then squared_error * queries / (queries - 1)
        else 0
    end as variance
from averaged_days
