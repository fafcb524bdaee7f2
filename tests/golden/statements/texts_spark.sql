-- sqlrank 0.3.0: sqlrank sql ranker.results --qrels judgments -m rr@10 --dialect spark --column 'run.doc_id=doc_texts[]' --separator '|'
-- with rel=1, ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with
-- the rankings, a row for each place of a list
given_run as (
    select
        listed.*,
        trim(sqlrank_element_1) as sqlrank_document_id,
        sqlrank_offset + 1 as sqlrank_place
    from ranker.results as listed
        lateral view posexplode(split(nullif(trim(doc_texts), ''), '\\|')) places as sqlrank_offset, sqlrank_element_1
),
