{# How each two systems differ under two sets of judgments, over the queries in which every system has a value under both. #}
{% macro values_of(judged_by, rows) %}
    select
        metric,
        query_id,
        max(baseline_value) as {{ (judged_by ~ "_0") | ident }}{% for candidate in candidates %},
        max(case when system = {{ candidate | literal }} then value end) as {{ (judged_by ~ "_" ~ loop.index) | ident }}
{%- endfor %}

    from {{ rows }}
    where baseline = {{ baseline | literal }}
    group by metric, query_id
{% endmacro %}
{% macro moments_of(judged_by) %}
    avg({{ judged_by | ident }}) as {{ (judged_by ~ "_difference") | ident }},
    stddev_samp({{ judged_by | ident }}) / sqrt(count(*)) as {{ (judged_by ~ "_stderr") | ident }},
    count_if({{ judged_by | ident }} <> 0) as {{ (judged_by ~ "_changed") | ident }},
    max(abs({{ judged_by | ident }})) as {{ (judged_by ~ "_largest") | ident }}
{%- endmacro %}
with

people as (
{{ values_of("people", people) }}),

model as (
{{ values_of("model", model) }}),

shared as (
    select
        people.*,
        model.* exclude (metric, query_id)
    from people
    inner join model
        on people.metric = model.metric and people.query_id = model.query_id
    where
{% for place in range(candidates | length + 1) %}
        {%+ if not loop.first %}and {% endif %}people_{{ place }} is not null and model_{{ place }} is not null
{% endfor %}
),

differences as (
{% for one, other in pairs %}
    {%+ if not loop.first %}union all {% endif %}select
        metric,
        {{ loop.index }} as pair,
        people_{{ one }} - people_{{ other }} as people,
        model_{{ one }} - model_{{ other }} as model
    from shared
{% endfor %}
)

select
    metric,
    count(*) as queries,
    count_if(people <> model) as unlike,
    {{ moments_of("people") }},
    {{ moments_of("model") }}
from differences
group by metric, pair
order by metric asc, pair asc
