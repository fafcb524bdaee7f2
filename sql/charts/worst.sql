-- the queries of one system with the smallest values of one metric, those with more relevant documents first: those
-- that have results and something to find, as there is nothing to look at in the others
select
    query_id,
    {{ column | ident }} as value
from {{ per_query }}
where
    system = {{ shown_system | literal }}
    and {{ column | ident }} is not null
    and sqlrank_retrieved > 0
    and sqlrank_relevant > 0
order by {{ column | ident }}, sqlrank_relevant desc, query_id
limit {{ most }}
