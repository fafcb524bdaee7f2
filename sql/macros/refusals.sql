{# Errors that a statement raises by itself. What it says stands in a value that is no number, made of the rows: an engine
   computes what has none before it reads any. #}

{# 0, or an error that says the message where the condition holds. #}
{% macro refused(condition, message) %}
cast(
                case
                    when {{ condition }}
                        then {{ message | literal }}
                    else '0'
                end as integer
            )
{%- endmacro %}
