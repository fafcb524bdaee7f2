-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect datafusion --column 'run.doc_id=hits[].id' --column 'run.score=scores[]'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
-- assumes: the lists of one row have as many values as each other
with
-- the rankings, a row for each place of a list
given_run as (
    select
        *,
        unnest(hits)['id'] as sqlrank_document_id,
        unnest(scores) as sqlrank_score
    from ranker.results
),
