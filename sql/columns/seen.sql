{#
text = "documents above that have the subtopic"
rows = []
depends = ["rel"]
input = "subtopic"
step = "covered_subtopics"
#}
coalesce(sum(cast(case when judged_subtopics.relevance >= {{ rel | literal }} then 1 else 0 end as {{ double }})) over (
    partition by {{ row_keys }}, judged_subtopics.subtopic
    order by ranked.rank asc
    rows between unbounded preceding and 1 preceding
), 0)
