-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect trino --column 'run.doc_id=hits[].id' --column 'run.score=scores[]'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
-- assumes: the lists of one row have as many values as each other
with
-- the rankings, a row for each place of a list
given_run as (
    select
        listed.*,
        places.sqlrank_element_1 as sqlrank_document_id,
        places.sqlrank_element_2 as sqlrank_score
    from ranker.results as listed
    cross join unnest(transform(hits, element -> element.id), scores) as places (sqlrank_element_1, sqlrank_element_2)
),
