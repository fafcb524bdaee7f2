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
){% endif +%}

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
    {%+ if counts %}case when metric in ({% for text in counts %}{{ text | literal }}{% if not loop.last %}, {% endif %}{% endfor %}) then {{ exact_sum }}(value) else {% endif %}{{ exact_sum }}(weight * value) / {{ exact_sum }}(weight){% if counts %} end{% endif %} as value,
    count(*) as queries
from {% if segments %}scoped{% else %}observed{% endif +%}
group by system, {% for _, name in segments %}{{ name | ident }}, {% endfor %}{% if segments %}of_segment, {% endif %}metric, day
