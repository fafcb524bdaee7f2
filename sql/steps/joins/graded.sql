{% from "macros/keys.sql" import one_ranking with context %}
    left join graded
        on {{ one_ranking("query_rows", "graded") }} and place_numbers.place = graded.rank
