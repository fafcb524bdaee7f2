{# The words that metrics and columns are written in. Every condition on a rank goes through `each`. #}

{# A value in the rows where a column holds something, down to rank k: 0 in others, so that nothing is lost in a null. #}
{% macro each(column, value, k=none) %}
case when {{ holding(column, k) }} then {{ value }} else 0 end
{%- endmacro %}

{# The condition that a column holds something, down to rank k. #}
{% macro holding(column, k) %}
{% if k is not none %}{{ column.axis }} <= {{ k }} and {% elif column.found %}{{ column.found }} and {% endif %}{{ column.when }}
{%- endmacro %}

{# What a column holds down to rank k, times another one that every row has, such as a discount. #}
{% macro at(column, k=none, factor=none) %}
{% if factor is none %}{{ each(column, column.value, k) }}
{%- elif factor[column.axis] == "1" %}{{ each(column, column.value, k) }}
{%- elif column.value == "1" %}{{ each(column, factor[column.axis], k) }}
{%- else %}{{ each(column, column.value ~ " * " ~ factor[column.axis], k) }}
{%- endif %}
{% endmacro %}

{# The sum over the ranking. #}
{% macro total(value) %}sum({{ value }}){% endmacro %}

{# The sum of the precisions down to rank k: the n-th hit is the last of n. #}
{% macro total_of(precisions, k=none) %}
{% if precisions.listed %}coalesce(list_sum([{{ one }} * hits / rank for rank, hits in list_sort(list(rank) filter (where {{ holding(precisions, k) }}), 'asc')]), 0)
{%- else %}{{ total(at(precisions, k)) }}
{%- endif %}
{% endmacro %}

{# The largest value in the ranking. #}
{% macro best(value) %}max({{ value }}){% endmacro %}

{# A count as a floating-point number. #}
{% macro number(value) %}{% if one == "1" %}cast({{ value }} as {{ double }}){% else %}{{ value }}{% endif %}{% endmacro %}

{# What a column holds down to a share of a count of the query, rounded up from a tenth. #}
{% macro until(column, count, share=none) %}
case when {{ column.axis }} <= {% if share is none %}{{ count.value }}{% else %}floor({{ share | literal }} * {{ count.value }} + 0.9){% endif %} and {{ column.when }} then {{ column.value }} else 0 end
{%- endmacro %}

{# What a column holds, weighted by the chance that a user who goes on with probability p comes to its rank. #}
{% macro persistent(column, p, k=none) %}
{% if column.value == "1" %}{{ each(column, power_of(p, column), k) }}
{%- else %}{{ each(column, column.value ~ " * " ~ power_of(p, column), k) }}
{%- endif %}
{% endmacro %}
{% macro power_of(p, column) %}power({{ p | literal }}, {{ column.axis }} - 1){% endmacro %}

{# What tells an id from others: the id itself where its column is native, else its text. #}
{% macro id_of(column, rows=none) %}{% if column is native %}{{ column_in(rows, column) }}{% else %}{{ text_of(column, rows) }}{% endif %}{% endmacro %}

{# The text of an id, which is compared by its bytes. #}
{% macro text_of(column, rows=none) %}cast({{ column_in(rows, column) }} as {{ text }}){{ bytewise }}{% endmacro %}

{# The text of the id that a step has of a column of its input: the id itself, unless that is native. #}
{% macro id_text(given, column, rows=none) %}{% if given is native %}{{ text_of(column, rows) }}{% else %}{{ column_in(rows, column) }}{% endif %}{% endmacro %}

{# A column, of the rows named where others are next to them. #}
{% macro column_in(rows, column) %}{% if rows %}{{ rows | ident }}.{% endif %}{{ column | ident }}{% endmacro %}

{# A number, in which 0 has no sign. #}
{% macro number_of(column) %}cast({{ column | ident }} as {{ double }}){{ unsigned_zero }}{% endmacro %}

{# How the documents of a ranking are ordered. #}
{% macro order_of_scores(score, direction, ties, doc_id, given_rank) %}
{{ score }} {{ direction }}
{%- if ties == "doc-asc" %}, {{ doc_id }} asc
{%- elif ties == "number-desc" %}, length({{ doc_id }}) desc, {{ doc_id }} desc
{%- elif ties == "rank" %}, {{ given_rank }} asc, {{ doc_id }} desc
{%- elif ties == "input" %}, input_order asc
{%- elif ties == "best" %}, coalesce(relevance, 0) desc, {{ doc_id }} desc
{%- elif ties == "worst" %}, coalesce(relevance, 0) asc, {{ doc_id }} desc
{%- else %}, {{ doc_id }} desc
{%- endif %}
{% endmacro %}

{# Ids from the last to the first, as texts or as the numbers that they are. #}
{% macro last_first(doc_id, ties) %}{% if ties == "number-desc" %}length({{ doc_id }}) desc, {% endif %}{{ doc_id }} desc{% endmacro %}

{# Which of the copies of a document comes first. #}
{% macro order_of_copies(copies, direction, ties) %}
{% if copies == "first" %}input_order{% else %}score {{ direction }}{% if ties == "rank" %}, given_rank asc{% elif ties == "input" %}, input_order asc{% endif %}{% endif %}
{% endmacro %}

{# The largest precision from the hit on that reaches a recall; a product such as 0.7 * 10 may be above the whole number. #}
{% macro best_beyond(precision, hits, relevant, recall, rule) %}
max(case when {{ precision.when }} and {{ hits.value }} >= {% if rule == "exact" %}{{ recall | literal }} * {{ relevant.value }} - 1e-9{% else %}floor({{ recall | literal }} * {{ relevant.value }} + {% if rule == "ceil" %}0.9{% else %}0.5{% endif %}){% endif %} then {{ precision.value }} else 0 end)
{%- endmacro %}

{# The smaller of two columns. #}
{% macro lesser(left, right) %}
case when {{ left.value }} < {{ right.value }} then {{ left.value }} else {{ right.value }} end
{%- endmacro %}

{# A total of the query. #}
{% macro of_query(column) %}{{ column.total }}{% endmacro %}

{# The smaller of a total and the cutoff. #}
{% macro smaller(value, k) %}case when {{ value }} < {{ k }} then {{ value }} else {{ k }} end{% endmacro %}

{# The linear gain: what a tie of different relevances changes. #}
{% macro worth() %}case when relevance > 0 then relevance else 0 end{% endmacro %}

{# Whether the order of ties decides the place of a relevant document, next to a neighbour of another relevance. #}
{% macro is_tied(by_rank, rank, deepest) %}
case
            when {{ worth() }} = 0 then 0
            when score = lag(score) {{ by_rank }} and {{ worth() }} <> lag({{ worth() }}) {{ by_rank }} then 1
            when{% if deepest %} {{ rank }} <= {{ deepest }} and{% endif %} score = lead(score) {{ by_rank }} and {{ worth() }} <> lead({{ worth() }}) {{ by_rank }} then 1
            else 0
        end
{%- endmacro %}

{# Whether a relevance has a positive gain. #}
{% macro has_gain(gain) %}
{% if gain.kind == "table" %}relevance in (
{%- for relevance in gain.worth %}{{ relevance | literal }}{% if not loop.last %}, {% endif %}{% endfor %})
{%- elif gain.least is none %}relevance > 0
{%- else %}relevance >= {{ gain.least | literal }}
{%- endif %}
{% endmacro %}

{# What a relevance is worth that has a positive gain. #}
{% macro worth_of(gain) %}
{% if gain.kind == "linear" %}relevance
{%- elif gain.kind == "binary" %}{{ one }}
{%- elif gain.kind == "exp2" %}(power(2.0, relevance) - 1)
{%- else %}cast(case relevance
{%- for pair in gain.pairs if pair[1] > 0 %} when {{ pair[0] | literal }} then {{ pair[1] | literal }}{% endfor %} end as {{ double }})
{%- endif %}
{% endmacro %}

{# The same times the weight of the document. #}
{% macro weighed(gain, weight) %}{% if gain.kind == "binary" %}{{ weight }}{% else %}{{ worth_of(gain) }} * {{ weight }}{% endif %}{% endmacro %}

{# What a relevance is worth: nothing where it is negative. #}
{% macro gain_of(gain) %}case when {{ has_gain(gain) }} then {{ worth_of(gain) }} else 0 end{% endmacro %}

{# The weight of a place. #}
{% macro weight_of(place, discount) %}
{% if discount.kind == "log" %}ln({{ base_of(discount) }}) / ln({{ place | ident }} + 1)
{%- elif discount.kind == "ln" %}1 / ln({{ place | ident }} + 1)
{%- elif discount.kind == "letor" %}case when {{ place | ident }} <= {{ discount.base | literal }} then 1 else ln({{ base_of(discount) }}) / ln({{ place | ident }}) end
{%- elif discount.kind == "reciprocal" %}{{ one }} / {{ place | ident }}
{%- elif discount.kind == "table" %}cast(case {{ place | ident }}
{%- for pair in discount.pairs %} when {{ pair[0] | literal }} then {{ pair[1] | literal }}{% endfor %} else 0 end as {{ double }})
{%- else %}1
{%- endif %}
{% endmacro %}

{# The base of its logarithm, which is no whole number to any engine. #}
{% macro base_of(discount) %}{{ discount.base | literal }}{% if discount.base == discount.base | int %}.0{% endif %}{% endmacro %}

{# What puts the best relevance first. #}
{% macro order_of_gains(gain) %}{% if gain.kind == "table" %}{{ worth_of(gain) }}{% else %}relevance{% endif %}{% endmacro %}

{# A gain times the weight of its place. #}
{% macro discounted(gain, place, discount) %}
{% if discount.kind == "none" %}{{ gain }}
{%- elif gain == "1" %}{{ weight_of(place, discount) }}
{%- else %}{{ gain }} * {{ weight_of(place, discount) }}
{%- endif %}
{% endmacro %}

{# A number that a parameter gives, or the largest of the judgments. #}
{% macro most_of(largest) %}{% if largest == "data" %}scale_rows.largest{% else %}{{ largest | literal }}{% endif %}{% endmacro %}

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

{# The whole numbers from 1 to the last, of digits: recursion is slow or missing on some engines. #}
{% macro places_to(last, indent=none) %}
{% set powers = [1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000] %}
select {{ digits_of(powers, last) }} + 1 as place
    {%+ if indent is not none %}{{ indent }}{% endif %}from digits as digits_1
{% for power in powers if 1 < power < last %}
    {%+ if indent is not none %}{{ indent }}{% endif %}cross join digits as digits_{{ power }}
{% endfor %}
    {%+ if indent is not none %}{{ indent }}{% endif %}where {{ digits_of(powers, last) }} < {{ last }}
{%- endmacro %}

{# The number whose digits these are. #}
{% macro digits_of(powers, last) %}
{% for power in powers if power == 1 or power < last %}
{%+ if power > 1 %} + {{ power }} * {% endif %}digits_{{ power }}.digit
{%- endfor %}
{% endmacro %}

{# The blended ratio of a place: documents with a gain, and beta times their gain, over the same of the best ranking that is full. #}
{% macro blended_ratio(documents, found, best, beta) %}
{% set weight %}{% if beta != 1 %}{{ beta | literal }} * {% endif %}{% endset %}
({{ documents.value }} + {{ weight }}{{ found.value }}) / (place + {{ weight }}{{ best.value }})
{%- endmacro %}
