{#
title = "the relevances of the first k, a character each"
title_zh = "前 k 个结果的相关性，每个一个字符"
family = "sets"
params = { k = "cutoff required" }
reads = ["relstring_code", "unjudged_above", "retrieved"]
summary = "none"
monotone = false
formula = "- without judgment, . below 0, 0 to 9, > above 9"
latex = '''
x_1\, x_2 \cdots x_K, \qquad x_i = \begin{cases} \left\lfloor \mathit{rel}_i \right\rfloor & \text{if } 0 \le \mathit{rel}_i < 10 \\ \text{>} & \text{if } \mathit{rel}_i \ge 10 \\ \text{.} & \text{if } \mathit{rel}_i < 0 \\ \text{-} & \text{if nobody judged it} \end{cases}
'''
citation = "trec_eval, measure relstring"
#}
{% from "macros/texts.sql" import joined %}
{% set character -%}
case
            when {{ relstring_code.when }} and rank <= {{ k }}
                then repeat('-', cast({{ unjudged_above.value }} as int)) || substr('0123456789.>', cast({{ relstring_code.value }} as int), 1)
        end
{%- endset %}
rpad(
    coalesce(
        {{ joined(character, "rank") }},
        ''
    ),
    cast(case when {{ retrieved.total }} < {{ k }} then {{ retrieved.total }} else {{ k }} end as int),
    '-'
)
