"""Exporting SQL: a statement, DuckDB macros, a dbt package."""
