create temp view judged as
from read_parquet(getvariable('qrels'));

create temp view hits as
select
    ranked.query_id,
    ranked.rank,
    judged.relevance
from (
    select
        query_id,
        doc_id,
        row_number() over (partition by query_id order by score desc, doc_id desc) as rank
    from read_parquet(getvariable('run'))
) as ranked
inner join judged
    on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
where judged.relevance >= 1;
