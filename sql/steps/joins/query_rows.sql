{% from "macros/keys.sql" import one_ranking with context %}
    inner join query_rows
        on {{ one_ranking("ranked", "query_rows") }}
