{#
text = "product of 1 - grade over the documents above"
rows = ["retrieved"]
depends = ["min", "max"]
needs = ["doc_grade"]
step = "scored"
#}
{% from "macros/ranking.sql" import less, most_of %}
{% set most %}{{ most_of(max) }}{% endset %}
{% set graded %}relevance > {{ min | literal }} and relevance{% endset %}
(1 - coalesce(max(case when {{ graded }} >= {{ most }} then 1 else 0 end) over (
    partition by {{ row_keys }}
    order by rank asc
    rows between unbounded preceding and 1 preceding
), 0))
* exp(coalesce(sum(case when {{ graded }} < {{ most }} then ln(({{ most }} - relevance) / ({{ less(most, min) }})) else 0 end) over (
    partition by {{ row_keys }}
    order by rank asc
    rows between unbounded preceding and 1 preceding
), 0))
