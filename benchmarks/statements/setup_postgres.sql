create table run (query_id {id}, doc_id {id}, score double precision);
create table qrels (query_id {id}, doc_id {id}, relevance integer);
analyze run;
analyze qrels;
