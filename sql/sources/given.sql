{% from "macros/ids.sql" import given_columns %}
(
    select
        *
{{- given_columns(ids, relevance, computed) }}
    from {{ reader }}
)
