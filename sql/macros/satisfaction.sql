{# How likely a document satisfies, of which its gain and that of the largest relevance tell. #}
{% from "macros/ranking.sql" import has_gain, most_of, worth_of %}

{# The probability: gain / (1 + the gain of the largest relevance), or the gain itself; 0 where there is none. #}
{% macro chance_of(gain, largest, top) %}
{% if gain.kind == "exp2" and largest not in ("query", "none") %}
case
            when {{ has_gain(gain) }} and relevance >= {{ most_of(largest) }} then 1 - power(2.0, -{{ most_of(largest) }})
            when {{ has_gain(gain) }} then (power(2.0, relevance) - 1) / power(2.0, {{ most_of(largest) }})
            else 0
        end
{%- elif gain.kind == "linear" and largest not in ("query", "none") %}
case
            when {{ has_gain(gain) }} and relevance >= {{ most_of(largest) }} then 1 - {{ one }} / ({{ most_of(largest) }} + 1)
            when {{ has_gain(gain) }} then relevance / ({{ most_of(largest) }} + 1)
            else 0
        end
{%- elif largest == "query" %}case when {{ has_gain(gain) }} then {{ worth_of(gain) }} / (1 + query_rows.{{ top.name | ident }}) else 0 end
{%- else %}case when {{ has_gain(gain) }} then {{ of_gain(worth_of(gain), gain, largest) }} else 0 end
{%- endif %}
{% endmacro %}

{# The same of a gain at a place of the best ranking. #}
{% macro of_gain(value, gain, largest) %}
{% if largest == "none" %}{{ value }}
{%- elif gain.kind == "table" %}{{ value }} / {{ (1 + gain.most) | literal }}
{%- elif gain.kind == "binary" %}{{ value }} / 2
{%- elif gain.kind == "exp2" %}{{ over_largest(value, "(power(2.0, " ~ most_of(largest) ~ ") - 1)", "power(2.0, " ~ most_of(largest) ~ ")", largest) }}
{%- else %}{{ over_largest(value, most_of(largest), "(" ~ most_of(largest) ~ " + 1)", largest) }}
{%- endif %}
{% endmacro %}

{# A gain over what it is divided by: at most the one of the largest relevance, where a number says which that is. #}
{% macro over_largest(value, worth, divisor, largest) %}
{% if largest == "data" %}{{ value }} / {{ divisor }}
{%- else %}case when {{ value }} > {{ worth }} then {{ worth }} else {{ value }} end / {{ divisor }}
{%- endif %}
{% endmacro %}

{# The probability that none of the rows above satisfies; `certain` where one of them may for sure. #}
{% macro none_of(chance, keys, axis, certain) %}
{% set above %}
over (
    partition by {{ keys }}
    order by {{ axis }} asc
    rows between unbounded preceding and 1 preceding
)
{%- endset %}
{% if certain %}
case when max({{ chance }}) {{ above }} >= 1 then 0 else exp(coalesce(sum(case when {{ chance }} < 1 then ln(1 - {{ chance }}) else 0 end) {{ above }}, 0)) end
{%- else %}
exp(coalesce(sum(ln(1 - {{ chance }})) {{ above }}, 0))
{%- endif %}
{% endmacro %}
