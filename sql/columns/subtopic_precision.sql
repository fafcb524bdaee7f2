{#
text = "precision for the subtopic, over its relevant documents"
rows = ["subtopic"]
depends = ["rel"]
needs = ["covered", "seen", "subtopic_relevant"]
input = "subtopic"
step = "subtopic_rows"
#}
{{ covered.value }} * ({{ seen.value }} + 1) / place / nullif({{ subtopic_relevant.value }}, 0)
