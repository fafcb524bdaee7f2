-- the rankings once for each of some draws, down to the last place that counts
with

counted as (
    select
        rankings.*,
        queries.number as query
    from {{ run.relation }} as rankings
    inner join {{ queries }} as queries
        on cast(rankings.{{ run.query_id | ident }} as varchar) = queries.query_id
{% if limit is not none %}
    qualify rank() over (partition by {% if several %}rankings.{{ run.system | ident }}, {% endif %}queries.number order by cast(rankings.{{ run.score | ident }} as double) {{ direction }}) <= {{ limit }}
{% endif %}
)

select
    counted.* exclude (query) replace (query * {{ draws }} + draw as {{ run.query_id | ident }})
from counted
cross join (select unnest(range({{ first }}, {{ last }})) as draw) as drawn
