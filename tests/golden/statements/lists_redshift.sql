-- sqlrank 0.1.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect redshift --column 'run.doc_id=hits[].id' --column 'qrels.doc_id=docs[]' --column 'qrels.relevance=labels[]'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
-- assumes: the lists of one row have as many values as each other
with
-- the rankings, a row for each place of a list
given_run as (
    select
        listed.*,
        sqlrank_element_1.id as sqlrank_document_id,
        sqlrank_offset + 1 as sqlrank_place
    from ranker.results as listed, listed.hits as sqlrank_element_1 at sqlrank_offset
),
-- the judgments, a row for each place of a list
given_qrels as (
    select
        listed.*,
        sqlrank_element_1 as sqlrank_document_id,
        labels[sqlrank_offset] as sqlrank_relevance
    from judgments as listed, listed.docs as sqlrank_element_1 at sqlrank_offset
),
-- the rank of each document
ranked as (
    select
        cast(query_id as varchar(65535)) as query_id,
        cast(sqlrank_document_id as varchar(65535)) as doc_id,
        row_number() over (
            partition by cast(query_id as varchar(65535)) order by cast(sqlrank_place as double precision) asc, cast(sqlrank_document_id as varchar(65535)) desc
        ) as rank
    from given_run
    where sqlrank_place is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar(65535)) as query_id,
        cast(sqlrank_document_id as varchar(65535)) as doc_id,
        cast(sqlrank_relevance as double precision) as relevance
    from given_qrels
    where sqlrank_relevance is not null
)
select
    judged.query_id as query_id,
    max(case when rank <= 10 and relevance >= 1 then cast(1 as double precision) / rank else 0 end) as rr_at_10
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id and ranked.rank <= 10
group by judged.query_id
