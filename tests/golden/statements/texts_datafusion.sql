-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect datafusion --column 'run.doc_id=doc_texts[]' --separator '|'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rankings, a row for each place of a list
given_run as (
    select
        *,
        trim(unnest(string_to_array(nullif(trim(doc_texts), ''), '|'))) as sqlrank_document_id,
        unnest(range(cast(1 as bigint), cast(array_length(string_to_array(nullif(trim(doc_texts), ''), '|')) + 1 as bigint))) as sqlrank_place
    from ranker.results
),
