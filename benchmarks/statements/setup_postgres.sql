create table run (query_id text, doc_id text, score double precision);
create table qrels (query_id text, doc_id text, relevance integer);
analyze run;
analyze qrels;
