{% from "macros/means.sql" import term_of %}
-- of each contrast, query and metric: how far the values of some draws are from those of the labels as they are, summed,
-- and squared and summed
with

as_they_are as (
    select
        contrasts.contrast as contrast,
        queries.number as query,
{% for measure in measures %}
        case when count({{ term_of(measure) }}) = any_value(contrasts.members) then sum(contrasts.sign * {{ term_of(measure) }}) end as value_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ per_query }} as by_query
    inner join {{ contrasts }} as contrasts
        on by_query.system = contrasts.system
    inner join {{ queries }} as queries
        on by_query.query_id = queries.query_id
    group by contrasts.contrast, queries.number
),

drawn as (
    select
        contrasts.contrast as contrast,
        cast(by_draw.query_id as bigint) // {{ draws }} as query,
        cast(by_draw.query_id as bigint) % {{ draws }} as draw,
{% for measure in measures %}
        max(abs({{ term_of(measure) }})) as size_{{ loop.index }},
        case when count({{ term_of(measure) }}) = any_value(contrasts.members) then sum(contrasts.sign * {{ term_of(measure) }}) end as value_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ by_draw }} as by_draw
    inner join {{ contrasts }} as contrasts
        on by_draw.system = contrasts.system
    group by contrasts.contrast, cast(by_draw.query_id as bigint)
),

moved as (
    select
        drawn.contrast as contrast,
        drawn.query as query,
        unnest(range(1, {{ measures | length }} + 1)) as metric,
        unnest([{% for measure in measures %}drawn.size_{{ loop.index }}{% if not loop.last %}, {% endif %}{% endfor %}]) as size,
        unnest([{% for measure in measures %}drawn.value_{{ loop.index }} - as_they_are.value_{{ loop.index }}{% if not loop.last %}, {% endif %}{% endfor %}]) as distance
    from drawn
    inner join as_they_are
        on drawn.contrast = as_they_are.contrast and drawn.query = as_they_are.query
),

-- what is rounding of the values moves nothing
distances as (
    select * replace (case when abs(distance) <= {{ rounding | literal }} * size then 0 else distance end as distance)
    from moved
)

select
    contrast,
    query,
    ([{% for measure in measures %}{{ measure.text | literal }}{% if not loop.last %}, {% endif %}{% endfor %}])[metric] as metric,
    count(distance) as draws,
    fsum(distance) as total,
    fsum(distance * distance) as squares
from distances
group by contrast, query, distances.metric
