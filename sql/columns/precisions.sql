{#
text = "precision at a hit, of which the total is read alone"
rows = ["retrieved"]
depends = ["rel"]
needs = ["hit"]
unless_listed = ["hits"]
positive_only = true
#}
when relevance >= {{ rel | literal }}
then {% if listing %}read_by_total_of_alone{% else %}{{ hits.value }} / rank{% endif %}
