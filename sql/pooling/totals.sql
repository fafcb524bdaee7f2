{% from "macros/ranking.sql" import id_of %}
-- how many pairs there are, of how many queries, how many weigh nothing, and how many queries have no judgment at all
select
    count(*) as pairs,
    count(distinct pairs.query_id) as queries,
    count(case when pairs.weight = 0 then 1 end) as weightless,
    {%+ if judged %}count(distinct case when judged_queries.query_id is null then pairs.query_id end){% else %}count(distinct pairs.query_id){% endif %} as unjudged
from {{ pairs }} as pairs
{% if judged %}
left join (
    select distinct {{ id_of("query_id") }} as query_id
    from {{ judged }}
    where relevance is not null
) as judged_queries
    on pairs.query_id = judged_queries.query_id
{% endif %}
