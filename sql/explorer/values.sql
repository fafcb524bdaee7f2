-- the values of the queries of a page, how many documents each system has, and how many of its first are unjudged
select
    queries.number as number,
    measured.system as system,
    measured.sqlrank_retrieved as retrieved,
    coalesce(looked.unjudged, 0) as unjudged{% for measure in measures %},
    measured.{{ measure.column | ident }} as value_{{ loop.index }}{% endfor +%}
from {{ per_query }} as measured
inner join {{ queries }} as queries
    on measured.query_id = queries.query_id
left join (
    select
        system,
        query_id,
        count(*) as unjudged
    from {{ documents }}
    where rank <= {{ rows }} and relevance is null
    group by system, query_id
) as looked
    on measured.system = looked.system and measured.query_id = looked.query_id
