{# How the systems stand under two sets of judgments, over the queries of both; replicate 0 is what was observed. #}
{% from "macros/draws.sql" import times_of %}
{% from "macros/hashing.sql" import chance_of %}
with

systems as (
    select distinct metric, query_id, baseline as system, baseline_value as value, 'people' as judged_by
    from {{ people }}
    where baseline = {{ baseline | literal }}

    union all

    select metric, query_id, system, value, 'people'
    from {{ people }}
    where baseline = {{ baseline | literal }}

    union all

    select distinct metric, query_id, baseline, baseline_value, 'model'
    from {{ model }}
    where baseline = {{ baseline | literal }}

    union all

    select metric, query_id, system, value, 'model'
    from {{ model }}
    where baseline = {{ baseline | literal }}
),

-- the queries in which every system has a value under both
shared as (
    select metric, query_id
    from systems
    where value is not null
    group by metric, query_id
    having count(*) = {{ 2 * systems }}
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
    metric,
    replicate,
    judged_by,
    list(mean order by system) as means,
    any_value(queries) as queries
from (
    select
        systems.metric,
        systems.system,
        systems.judged_by,
        drawn.replicate,
        count(*) as queries,
        sum(drawn.times * systems.value) / nullif(sum(drawn.times), 0) as mean
    from systems
    inner join shared
        on systems.metric = shared.metric and systems.query_id = shared.query_id
    inner join drawn
        on systems.query_id = drawn.query_id
    group by systems.metric, systems.system, systems.judged_by, drawn.replicate
) as of_systems
group by metric, replicate, judged_by
having count(mean) = {{ systems }}
order by metric, replicate, judged_by
