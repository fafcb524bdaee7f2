{#
text = "1 for a subtopic of a document"
rows = ["subtopic"]
depends = ["rel"]
input = "subtopic"
step = "covered_subtopics"
#}
cast(case when judged_subtopics.relevance >= {{ rel | literal }} then 1 else 0 end as {{ double }})
