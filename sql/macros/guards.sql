{# What a macro in somebody's session refuses, where nobody has looked at the rows before: functions ask each value. #}

{# An id, which is there. #}
{% macro id_or_error(value, role, table) %}
coalesce({{ value }}, error({{ ("a " ~ role ~ " of the " ~ table ~ " is null") | literal }}))
{%- endmacro %}

{# A score or relevance, which is a finite number. #}
{% macro number_or_error(value, role, query, document) %}
case
            when isfinite({{ value }}) then {{ value }}
            else error(concat({{ ("the " ~ role ~ " of query ") | literal }}, {{ query | ident }}, ' and document ', {{ document | ident }}, ' is ', {{ value }}))
        end
{%- endmacro %}

{# A cutoff or level of relevance that was given. #}
{% macro argument_or_error(name) %}
{% if name == "k" %}case when k >= 1 and k % 1 = 0 then true else error(concat('k must be a whole number from 1 on, not ', coalesce(cast(k as varchar), 'null'))) end
{%- else %}case when isfinite(cast({{ name | ident }} as double)) then true else error(concat({{ (name ~ " must be a finite number, not ") | literal }}, coalesce(cast({{ name | ident }} as varchar), 'null'))) end
{%- endif %}
{% endmacro %}

{# Every document of a query once; hashes in a list are compared in half the time of the ids themselves. #}
{% macro once_or_error(table) %}
having case
        when list_unique(list(hash(doc_id))) = count(*) then true
        else error(concat({{ ("a document appears more than once in the " ~ table ~ " of query ") | literal }}, query_id))
    end
{%- endmacro %}
