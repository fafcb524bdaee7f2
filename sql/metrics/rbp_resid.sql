{#
title = "residual of rank-biased precision: what unjudged documents could add to it"
title_zh = "排名偏置精度的残差：未标注的文档最多还能带来多少"
family = "user"
params = { p = 0.9, complete = ["tail", "zero"] }
reads = ["hit", "miss", "retrieved"]
reads_with = { retrieved = { complete = "zero" } }
range = [0, 1]
summary = "mean"
better = "lower"
linear = true
bounds = { p = [0, 1] }
help = { complete = "where every document returned was judged: tail (what lies below the ranking) or zero (as trec_eval 10 prints it)" }
formula = "p^n + (1 - p) * sum over unjudged ranks i of p^(i - 1), n documents returned; a negative judgment is none"
in_words = true
latex = '''
\text{residual} = p^{n} + (1 - p) \sum_{i=1}^{n} [\text{not judged}_i]\, p^{i-1}
'''
citation = "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2008"
doi = "10.1145/1416950.1416952"
#}
{% from "macros/ranking.sql" import at, of_query, persistent, total %}
{% if complete == "zero" %}
case
    when {{ total(at(hit)) }} + {{ total(at(miss)) }} > {{ of_query(retrieved) }} - 0.5 then 0
    else 1 - (1 - {{ p | literal }}) * (
        {{ total(persistent(hit, p)) }}
        + {{ total(persistent(miss, p)) }}
    )
end
{% else %}
1 - (1 - {{ p | literal }}) * (
    {{ total(persistent(hit, p)) }}
    + {{ total(persistent(miss, p)) }}
)
{% endif %}
