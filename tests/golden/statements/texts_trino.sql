-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect trino --column 'run.doc_id=doc_texts[]' --separator '|'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rankings, a row for each place of a list
given_run as (
    select
        listed.*,
        trim(places.sqlrank_element_1) as sqlrank_document_id,
        places.sqlrank_ordinal as sqlrank_place
    from ranker.results as listed
    cross join unnest(split(nullif(trim(doc_texts), ''), '|')) with ordinality as places (sqlrank_element_1, sqlrank_ordinal)
),
