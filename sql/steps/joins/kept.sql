{% from "macros/keys.sql" import one_ranking with context %}
    left join kept_queries as kept
        on {{ one_ranking("found", "kept") }}
