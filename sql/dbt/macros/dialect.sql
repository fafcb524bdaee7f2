{# Names and values as SQL, as sqlrank/dialects.py writes them. #}

{# What the engine of the target spells in its own way; a project may bring a macro such as oracle__dialect. #}
{% macro dialect() %}{% do return(adapter.dispatch('dialect', 'sqlrank')()) %}{% endmacro %}

{# The dialect of a name, as far as it is known. #}
{% macro default__dialect(name=none) %}
    {% set known, name = sqlrank.dialects(), name or target.type %}
    {% set instead = ' is not known (one of ' ~ known | select | join(', ') ~ '); write ' ~ name ~ '__dialect()' %}
    {% if name not in known %}{% do sqlrank.refuse('the adapter ' ~ name ~ instead) %}{% endif %}
    {% do return(dict(known[''], **known[name])) %}
{% endmacro %}

{# A name as an identifier, quoted where it must be. #}
{% macro ident(name) %}
    {% set spoken = sqlrank.dialect() %}
    {% if not name or '\x00' in name or (spoken.substitutes and '${' in name) %}
        {% do sqlrank.refuse('"' ~ name ~ '" cannot be the name of a column or table; rename it') %}
    {% elif spoken.longest_name and name.encode() | length > spoken.longest_name %}
        {% set limit = spoken.title ~ ' reads only ' ~ spoken.longest_name ~ ' bytes of a name, and ' %}
        {% do sqlrank.refuse(limit ~ name ~ ' is longer; leave out the metric or parameter that it comes from') %}
    {% elif modules.re.match(sqlrank.patterns().plain_name, name) and ' ' ~ name ~ ' ' not in spoken.reserved %}
        {% do return(name) %}
    {% endif %}
    {% set escaped = name.replace('\\', '\\\\') if spoken.escapes_names else name %}
    {% set escape = '\\' if spoken.escapes_names else spoken.quote %}
    {% do return(spoken.quote ~ escaped.replace(spoken.quote, escape ~ spoken.quote) ~ spoken.quote) %}
{% endmacro %}

{# A text, a number or none as a literal. #}
{% macro literal(value) %}
    {% set spoken = sqlrank.dialect() %}
    {% if value is none %}
        {% do return('null') %}
    {% elif value is number and value - value == 0 %}
        {% do return(sqlrank.plain(value) if value | abs < 1e15 else value | string) %}
    {% elif not value is string or modules.re.search(sqlrank.patterns().control, value | replace('\n', '')) %}
        {% do sqlrank.refuse(value ~ ' cannot be written as a value in SQL') %}
    {% elif not spoken.escapes_texts %}
        {% do return("'" ~ value.replace("'", "''") ~ "'") %}
    {% endif %}
    {% set escaped = value.replace('\\', '\\\\').replace("'", "\\'").replace('\n', '\\n') %}
    {% do return("'" ~ (escaped.replace('${', '$\\{') if spoken.substitutes else escaped) ~ "'") %}
{% endmacro %}

{# A value as a person writes it: 1 and not 1.0. #}
{% macro plain(value) %}
    {% do return((value | int if value is float and value.is_integer() else value) | string) %}
{% endmacro %}

{# A parameter's value as part of a column name: 0.5 is 0p5, a table 0:0,1:1 is 0x0_1x1. #}
{% macro column_part(value) %}
    {% set text = sqlrank.plain(value).replace('.', 'p').replace('-', 'm').replace('+', '') %}
    {% do return(text.replace(':', 'x').replace(',', '_').replace('/', '_')) %}
{% endmacro %}

{# Stop with what is wrong and what to do. #}
{% macro refuse(text) %}{% do exceptions.raise_compiler_error('sqlrank: ' ~ text) %}{% endmacro %}

{# Stop at the first rule that holds: values that do not go together (`*` is any), with the reason. #}
{% macro refuse_if(rules, values, about='') %}
    {% for rule, reason in rules %}
        {% set unmet = [] %}
        {% for name, value in rule.items() if values[name] != value and not (value == '*' and values[name]) %}
            {% do unmet.append(name) %}
        {% endfor %}
        {% if not unmet %}{% do sqlrank.refuse(about ~ reason) %}{% endif %}
    {% endfor %}
{% endmacro %}
