{#
text = "gain of this place of the greedy ideal"
rows = ["cover"]
depends = ["alpha", "rel"]
needs = ["subtopics"]
input = "subtopic"
step = "cover_rows"
#}
