create table run as from '{folder}/run.parquet';
create table qrels as from '{folder}/qrels.parquet';
