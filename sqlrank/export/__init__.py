"""SQL that is taken away: a statement, DuckDB macros, a dbt package."""
