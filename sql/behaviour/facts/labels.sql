{# How many pairs there are, and how many of them have labels. #}
select
    (select count(*) from {{ labels }}) as pairs,
    (select coalesce(max(impressions), 0) from {{ labels }}) as most,
    count(*) as judged,
    count(*) filter (where impressions >= {{ firm }}) as firm
from {{ judgments }}
