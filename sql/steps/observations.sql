{% from "macros/stacks.sql" import stacked with context %}
-- what the metrics look at: documents found, what is known of each query, and rows of other kinds
observations as (
{{ stacked(observed) }}),
