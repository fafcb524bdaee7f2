create view run as select * from file('{folder}/run.parquet', Parquet);
create view qrels as select * from file('{folder}/qrels.parquet', Parquet);
