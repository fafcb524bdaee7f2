{% from "macros/ids.sql" import given_columns %}
(
    select
        *
{{- given_columns(ids, relevance) }}
    from {{ reader }}
)
