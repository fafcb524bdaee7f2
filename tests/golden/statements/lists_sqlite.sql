-- sqlrank 0.1.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect sqlite --column 'run.doc_id=hits[].id' --column 'qrels.doc_id=docs[]' --column 'qrels.relevance=labels[]'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
-- assumes: the lists of one row have as many values as each other
with
-- the rankings, a row for each place of a list
given_run as (
    select
        listed.*,
        places.value ->> 'id' as sqlrank_document_id,
        places.key + 1 as sqlrank_place
    from ranker.results as listed
    cross join json_each(hits) as places
),
-- the judgments, a row for each place of a list
given_qrels as (
    select
        listed.*,
        places.value as sqlrank_document_id,
        labels ->> places.key as sqlrank_relevance
    from judgments as listed
    cross join json_each(docs) as places
),
-- the rank of each document
ranked as (
    select
        cast(query_id as text) collate binary as query_id,
        cast(sqlrank_document_id as text) collate binary as doc_id,
        row_number() over (
            partition by cast(query_id as text) collate binary order by cast(sqlrank_place as real) asc, cast(sqlrank_document_id as text) collate binary desc
        ) as rank
    from given_run
    where sqlrank_place is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as text) collate binary as query_id,
        cast(sqlrank_document_id as text) collate binary as doc_id,
        cast(sqlrank_relevance as real) as relevance
    from given_qrels
    where sqlrank_relevance is not null
)
select
    judged.query_id as query_id,
    max(case when rank <= 10 and relevance >= 1 then 1.0 / rank else 0 end) as rr_at_10
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id and ranked.rank <= 10
group by judged.query_id
