create temp view judged as
from read_parquet(getvariable('run'));

create temp view hits as
select
    query_id,
    relevance,
    rank
from (
    select
        query_id,
        relevance,
        row_number() over (partition by query_id order by score desc, doc_id desc) as rank
    from judged
) as ranked
where relevance >= 1;
