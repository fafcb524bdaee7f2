{#
title = "the relevances of the first k, a character each"
params = { k = "cutoff required" }
reads = ["relstring_code", "unjudged_above", "retrieved"]
summary = "none"
monotone = false
formula = "- without judgment, . below 0, 0 to 9, > above 9"
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
