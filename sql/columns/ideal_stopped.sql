{#
text = "probability to stop at this place of the best ranking, over the place"
rows = ["cumulated"]
depends = ["gain", "ideal", "max"]
needs = ["ideal_gain"]
step = "cumulated"
#}
{% from "macros/satisfaction.sql" import none_of, of_gain %}
{% set chance %}coalesce({{ of_gain(ideal_gain.value, gain, max) }}, 0){% endset %}
{{ chance }} / place * {{ none_of(chance, keys, "place" | ident, max == "none") }}
