{#
title = "mean popularity of the first k: how often each stands in the history"
title_zh = "流行度：前 k 个结果在历史记录中平均出现多少次"
family = "beyond"
params = { k = "cutoff required", norm = ["count", "share"], missing = ["zero", "omit"] }
reads = ["popularity", "history_rows", "shown", "known"]
reads_with = { history_rows = { norm = "share" }, known = { missing = "omit" } }
undefined = "with missing=omit, none of the first k stands in the history"
summary = "mean"
parts = "sum"
help = { norm = "count, or share (of all rows of the history)", missing = "a document that the history lacks counts 0 (zero), or is left out (omit)" }
formula = "mean over the documents in the top k of the rows about each in the history, 0 where there is none"
latex = '''
\text{popularity@}k = \frac{1}{K} \sum_{i=1}^{K} E_i

\text{norm=share:}\ \ E_i \to E_i / E
'''
citation = "Yin, Cui, Li, Yao and Chen, Challenging the long tail recommendation, VLDB 2012"
doi = "10.14778/2311906.2311916"
agrees = ["RecBole AveragePopularity"]
#}
{% from "macros/ranking.sql" import at, each, total %}
{% from "macros/whole.sql" import whole %}
{% if missing == "omit" %}
case
    when {{ whole(at(shown, k)) }} > 0 then
        {{ total(at(popularity, k)) }}
        / nullif({{ whole(each(known, known.value ~ " * " ~ (history_rows if norm == "share" else shown).value, k)) }}, 0)
    else 0
end
{% else %}
coalesce(
    {{ total(at(popularity, k)) }}
    / nullif({{ whole(at(history_rows if norm == "share" else shown, k)) }}, 0), 0
)
{% endif %}
