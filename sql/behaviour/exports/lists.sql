{# The lists that were shown, by name: how many, how many of them answer no search, or one that another event says, and how
   many do not say the positions of all of their items. #}
select
    coalesce(list_name, list_id) as list,
    count(distinct impression_id) as impressions,
    count(distinct impression_id) filter (where query_id is null) as no_search,
    count(distinct impression_id) filter (where query_id is not null and inherited) as inherited,
    count(distinct impression_id) filter (where not numbered) as by_place,
    count(*) as items
from {{ shown }}
group by all
order by impressions desc, list
