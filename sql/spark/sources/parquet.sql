{# A view, since Spark asks the files for their columns, in a job, wherever a statement names the files themselves. #}
create or replace temporary view {{ name | ident }} using parquet options (path {{ path | literal }})
