-- sqlrank 0.1.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect spark --column 'run.doc_id=doc_texts[]' --column 'run.score=score_texts[]' --separator '|'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant, duplicates=error, judgments=error
-- assumes: no null ids, finite scores, one row for each query and document in the run and in the judgments
-- assumes: the lists of one row have as many values as each other
with
-- the rankings, a row for each place of a list
given_run as (
    select
        listed.*,
        trim(sqlrank_element_1) as sqlrank_document_id,
        trim(split(nullif(trim(score_texts), ''), '\\|')[sqlrank_offset]) as sqlrank_score
    from ranker.results as listed
        lateral view posexplode(split(nullif(trim(doc_texts), ''), '\\|')) places as sqlrank_offset, sqlrank_element_1
),
-- the rank of each document
ranked as (
    select
        cast(query_id as string) as query_id,
        cast(sqlrank_document_id as string) as doc_id,
        row_number() over (
            partition by cast(query_id as string) order by cast(sqlrank_score as double) desc, cast(sqlrank_document_id as string) desc
        ) as rank
    from given_run
    where sqlrank_score is not null
),
-- the documents returned down to the last rank that matters and those judged, which are divided by query once
placed as (
    select
        query_id,
        doc_id,
        relevance,
        rank
    from (
        select
            query_id,
            doc_id,
            rank,
            cast(null as double) as relevance
        from ranked
        where rank <= 10

        union all

        select
            cast(query_id as string) as query_id,
            cast(doc_id as string) as doc_id,
            null as rank,
            cast(relevance as double) as relevance
        from judgments
        where relevance is not null
    ) as both_inputs
),
-- each judged document with its rank, null where it was not found
judged as (
    select
        query_id,
        min(rank) as rank,
        max(relevance) as relevance
    from placed
    group by query_id, doc_id
    having max(relevance) is not null
)
select
    judged.query_id as query_id,
    max(case when rank <= 10 and relevance >= 1 then 1 / rank else 0 end) as rr_at_10
from judged
group by judged.query_id
