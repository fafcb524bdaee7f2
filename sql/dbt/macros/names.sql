{# How values and columns are written, as sqlrank/conventions.py, metrics/measure.py and statement/columns.py have it. #}

{# A value as a person writes it: 1 and not 1.0. #}
{% macro plain(value) %}
    {% do return((value | int if value is float and value.is_integer() else value) | string) %}
{% endmacro %}

{# The smallest mean that passes, which is a finite number. #}
{% macro threshold(given) %}
    {% set least = none if given is boolean else given | float(none) %}
    {% if least is none or least - least != 0 %}
        {% do sqlrank.refuse('at_least=' ~ given ~ ' is not a finite number') %}
    {% endif %}
    {% do return(least) %}
{% endmacro %}

{# A parameter's value as part of a column name: 0.5 is 0p5, a table 0:0,1:1 is 0x0_1x1. #}
{% macro column_part(value) %}
    {% set text = sqlrank.plain(value).replace('.', 'p').replace('-', 'm').replace('+', '') %}
    {% do return(text.replace(':', 'x').replace(',', '_').replace('/', '_')) %}
{% endmacro %}

{# The parameters a column depends on, with their defaults where a metric does not have them. #}
{% macro settled_values(column, values) %}
    {% set settled = {} %}
    {% for name in sqlrank.columns()[column].depends %}
        {% do settled.update({name: values.get(name, sqlrank.facts().defaults[name])}) %}
    {% endfor %}
    {% do return(settled) %}
{% endmacro %}

{# The name under which a column stands for these parameter values. #}
{% macro physical(column, values) %}
    {% set facts = sqlrank.facts() %}
    {% set parts = [column] %}
    {% for name, value in sqlrank.settled_values(column, values).items() if value != facts.defaults[name] %}
        {% set prefix = 'at_' if name == 'k' else '' if name in facts.bare else name %}
        {% do parts.append(prefix ~ sqlrank.column_part(value)) %}
    {% endfor %}
    {% do return(parts | join('_')) %}
{% endmacro %}

{# The names of the columns that a measure reads. #}
{% macro physical_all(columns, values) %}
    {% set names = {} %}
    {% for column in columns %}
        {% do names.update({column: sqlrank.physical(column, values)}) %}
    {% endfor %}
    {% do return(names) %}
{% endmacro %}
