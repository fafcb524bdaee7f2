{#
text = "subtopics with a relevant document"
rows = ["query"]
depends = ["rel"]
input = "subtopic"
step = "query_subtopics"
needs = ["subtopic_relevant"]
#}
cast(sum(case when {{ subtopic_relevant.value }} > 0 then 1 else 0 end) as {{ double }})
