{#
text = "1 where a subtopic is seen for the first time"
rows = ["subtopic"]
depends = ["rel"]
needs = ["covered", "seen"]
input = "subtopic"
step = "subtopic_rows"
#}
case when {{ seen.value }} = 0 then {{ covered.value }} else 0 end
