{# How the systems stand under two sets of judgments, over the queries of both; replicate 0 is what was observed. #}
{% from "macros/draws.sql" import times_of %}
{% from "macros/hashing.sql" import chance_of %}
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
{% macro means_of(judged_by) %}[{% for place in range(candidates | length + 1) %}sum(drawn.times * shared.{{ (judged_by ~ "_" ~ place) | ident }}) / sum(drawn.times){% if not loop.last %}, {% endif %}{% endfor %}]{% endmacro %}
with

people as (
{{ values_of("people", people) }}),

model as (
{{ values_of("model", model) }}),

-- the queries in which every system has a value under both
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

drawn as (
    select
        query_id,
        replicate,
        case when replicate = 0 then 1 else {{ times_of() }} end as times
    from (
        select
            query_id,
            replicate,
            ({{ chance_of("replicate", ["query_id"], seed) }} >> 17) & 1023 as bits
        from (select distinct query_id from shared)
        cross join (select unnest(range({{ replicates + 1 }})) as replicate)
    ) as bits_drawn
)

select
    shared.metric,
    drawn.replicate,
    count(*) as queries,
    {{ means_of("people") }} as people,
    {{ means_of("model") }} as model
from shared
inner join drawn
    on shared.query_id = drawn.query_id
group by shared.metric, drawn.replicate
having sum(drawn.times) > 0
order by shared.metric asc, drawn.replicate asc
