-- sqlrank 0.1.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect clickhouse --column 'run.doc_id=hits[].id' --column 'qrels.doc_id=docs[]' --column 'qrels.relevance=labels[]'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
-- assumes: the lists of one row have as many values as each other
with
-- the rankings, a row for each place of a list
given_run as (
    select
        listed.*,
        sqlrank_element_1 as sqlrank_document_id,
        sqlrank_ordinal as sqlrank_place
    from ranker.results as listed
    array join
        arrayMap(element -> tupleElement(element, 'id'), hits) as sqlrank_element_1,
        arrayEnumerate(arrayMap(element -> tupleElement(element, 'id'), hits)) as sqlrank_ordinal
),
-- the judgments, a row for each place of a list
given_qrels as (
    select
        listed.*,
        sqlrank_element_1 as sqlrank_document_id,
        sqlrank_element_2 as sqlrank_relevance
    from judgments as listed
    array join
        docs as sqlrank_element_1,
        labels as sqlrank_element_2
),
-- the rank of each document
ranked as (
    select
        cast(query_id as varchar) as query_id,
        cast(sqlrank_document_id as varchar) as doc_id,
        row_number() over (
            partition by cast(query_id as varchar) order by cast(sqlrank_place as double) + 0.0 asc, cast(sqlrank_document_id as varchar) desc
        ) as rank
    from given_run
    where sqlrank_place is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar) as query_id,
        cast(sqlrank_document_id as varchar) as doc_id,
        cast(sqlrank_relevance as double) as relevance
    from given_qrels
    where sqlrank_relevance is not null
)
select
    judged.query_id as query_id,
    max(case when rank <= 10 and relevance >= 1 then 1 / rank else 0 end) as rr_at_10
from judged
left join ranked on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id and ranked.rank <= 10
group by judged.query_id
settings join_use_nulls = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1, query_plan_max_optimizations_to_apply = 1000000
