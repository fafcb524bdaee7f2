-- the summary of the run and that of its rows per query: rows that only one of them has
select system, metric, value, queries from {{ ref('summary') }}
except
select system, metric, value, queries from {{ ref('summary_of_run') }}
