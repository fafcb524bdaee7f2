{#
text = "discounted gain of the best ranking down to the cutoff"
rows = ["query"]
depends = ["gain", "discount", "ideal", "k", "weight"]
step = "ideal"
#}
{% from "macros/ranking.sql" import discounted, has_gain, worth_of %}
{% if united %}
sum(case when {% if k %}{{ ideal_rank | ident }} <= {{ k }} and {% endif %}{{ has_gain(gain) }} then {{ discounted(worth_of(gain), ideal_rank, discount) }} else 0 end)
{% endif %}
