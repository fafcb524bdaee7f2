{# The words that metrics and steps are written in. Every condition on a rank goes through `at`. #}

{# What a column holds down to place k, weighted by a discount: 0 below k, so that nothing is lost in a null. #}
{% macro at(column, k=none, discount=none) %}
{% if k is not none %}case when place <= {% if k is string %}{{ k | ident }}{% else %}{{ k }}{% endif %} then {% endif %}
{{- column | ident }}{% if discount is not none %} * {{ discount | ident }}{% endif %}
{%- if k is not none %} else 0 end{% endif %}
{% endmacro %}

{# The sum over the ranking. #}
{% macro total(value) %}sum({{ value }}){% endmacro %}

{# The largest value in the ranking. #}
{% macro best(value) %}max({{ value }}){% endmacro %}

{# The sum of a value over the rows where a column is positive: of 1 for the hits, of its own value for a gain. #}
{% macro total_where(column, value) %}sum(case when {{ column | ident }} > 0 then {{ column | ident }} * ({{ value }}) else 0 end){% endmacro %}

{# What a column holds down to a share of a total of the query, rounded up from a tenth. #}
{% macro until(column, count, share=none) %}
case when place <= {% if share is none %}{{ count | ident }}{% else %}floor({{ share | literal }} * {{ count | ident }} + 0.9){% endif %} then {{ column | ident }} else 0 end
{%- endmacro %}

{# What a column holds, weighted by the chance that a user who goes on with probability p comes to its place. #}
{% macro persistent(column, p, k=none) %}
case when {{ column | ident }} > 0{% if k is not none %} and place <= {{ k }}{% endif %} then {{ column | ident }} * power({{ p | literal }}, place - 1) else 0 end
{%- endmacro %}

{# The largest precision from the hit on that reaches a recall. #}
{% macro best_beyond(precision, hits, relevant, recall, rule) %}
max(case when {{ hits | ident }} >= floor({{ recall | literal }} * {{ relevant | ident }} + {% if rule == "ceil" %}0.9{% else %}0.5{% endif %}) then {{ precision | ident }} else 0 end)
{%- endmacro %}

{# The smaller of two columns. #}
{% macro lesser(left, right) %}
case when {{ left | ident }} < {{ right | ident }} then {{ left | ident }} else {{ right | ident }} end
{%- endmacro %}

{# A total of the query, which stands in one row of it. #}
{% macro of_query(column) %}max({{ column | ident }}){% endmacro %}

{# The smaller of a total and the cutoff. #}
{% macro smaller(value, k) %}case when {{ value }} < {{ k }} then {{ value }} else {{ k }} end{% endmacro %}

{# 1 for a document that is relevant at a level. #}
{% macro hit_of(level) %}cast(case when relevance >= {{ level | literal }} then 1 else 0 end as {{ double }}){% endmacro %}

{# 1 for a document that was judged not relevant at a level. #}
{% macro miss_of(level) %}cast(case when relevance >= 0 and relevance < {{ level | literal }} then 1 else 0 end as {{ double }}){% endmacro %}

{# The linear gain: what a tie of different relevances changes. #}
{% macro worth() %}case when relevance > 0 then relevance else 0 end{% endmacro %}

{# Whether a relevance is one that counts. #}
{% macro counts(gain) %}{% if gain.least is none %}relevance > 0{% else %}relevance >= {{ gain.least | literal }}{% endif %}{% endmacro %}

{# What a relevance is worth: nothing where it is negative. #}
{% macro gain_of(gain) %}
{% if gain.kind == "linear" %}case when {{ counts(gain) }} then relevance else 0 end
{%- elif gain.kind == "binary" %}cast(case when {{ counts(gain) }} then 1 else 0 end as {{ double }})
{%- elif gain.kind == "exp2" %}case when {{ counts(gain) }} then power(2.0, relevance) - 1 else 0 end
{%- else %}cast(case
{%- for pair in gain.pairs %} when relevance = {{ pair[0] | literal }} then {{ pair[1] | literal }}{% endfor %} else 0 end as {{ double }})
{%- endif %}
{% endmacro %}

{# Whether a relevance has a positive gain. #}
{% macro has_gain(gain) %}
{% if gain.kind == "table" %}relevance in (
{%- for relevance in gain.worth %}{{ relevance | literal }}{% if not loop.last %}, {% endif %}{% endfor %})
{%- else %}{{ counts(gain) }}
{%- endif %}
{% endmacro %}

{# The weight of a place. #}
{% macro weight_of(place, discount) %}
{% if discount == "log2" %}ln(2.0) / ln({{ place | ident }} + 1)
{%- elif discount == "ln" %}1 / ln({{ place | ident }} + 1)
{%- elif discount == "letor" %}case when {{ place | ident }} <= 2 then 1 else ln(2.0) / ln({{ place | ident }}) end
{%- else %}1
{%- endif %}
{% endmacro %}

{# A number that a parameter gives, or the largest of the judgments. #}
{% macro most_of(largest) %}{% if largest == "data" %}scale_rows.largest{% else %}{{ largest | literal }}{% endif %}{% endmacro %}

{# The probability that a document satisfies: (2^relevance - 1) / 2^largest, 0 where it is negative. #}
{% macro chance_of(largest) %}
case
            when relevance >= {{ most_of(largest) }} and relevance > 0 then 1 - power(2.0, -{{ most_of(largest) }})
            when relevance > 0 then (power(2.0, relevance) - 1) / power(2.0, {{ most_of(largest) }})
            else 0
        end
{%- endmacro %}

{# A number less the smallest relevance that counts. #}
{% macro less(value, smallest) %}{{ value }}{% if smallest %} - {{ smallest | literal }}{% endif %}{% endmacro %}

{# How far a relevance is above the smallest, at most as far as the largest is. #}
{% macro above_least(smallest, largest) %}
case when relevance <= {{ smallest | literal }} then 0 when relevance >= {{ most_of(largest) }} then {{ less(most_of(largest), smallest) }} else {{ less(column("relevance"), smallest) }} end
{%- endmacro %}

{# A relevance between 0 (at the smallest or below) and 1 (at the largest or above). #}
{% macro grade_of(smallest, largest) %}
case
            when relevance <= {{ smallest | literal }} then 0
            when relevance >= {{ most_of(largest) }} then 1
            else ({{ less(column("relevance"), smallest) }}) / ({{ less(most_of(largest), smallest) }})
        end
{%- endmacro %}

{# A column of the row at hand. #}
{% macro column(name) %}{{ name | ident }}{% endmacro %}

{# The place of a relevance's character in 0123456789.>, where . is a negative one and > one of 10 or more. #}
{% macro relstring_code_of() %}
case when relevance < 0 then 11.0 when relevance >= 10 then 12.0 else floor(relevance) + 1 end
{%- endmacro %}

{# The whole numbers from 1 to the last, of digits: recursion is slow or missing on some engines. #}
{% macro places_to(last) %}
{% set powers = [1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000] %}
select {{ number_of(powers, last) }} + 1 as place
    from digits as digits_1
{% for power in powers if 1 < power < last %}
    cross join digits as digits_{{ power }}
{% endfor %}
    where {{ number_of(powers, last) }} < {{ last }}
{%- endmacro %}

{# The number whose digits these are. #}
{% macro number_of(powers, last) %}
{% for power in powers if power == 1 or power < last %}
{%+ if power > 1 %} + {{ power }} * {% endif %}digits_{{ power }}.digit
{%- endfor %}
{% endmacro %}
