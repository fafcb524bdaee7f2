{# Names and values as SQL, as sqlrank/dialects.py writes them. #}

{# What the engine of the target spells in its own way. #}
{% macro dialect() %}
    {% set known = sqlrank.dialects() %}
    {% if target.type not in known %}
        {% do sqlrank.refuse('the adapter ' ~ target.type ~ ' is not known (one of ' ~ known | join(', ') ~ ')') %}
    {% endif %}
    {% do return(known[target.type]) %}
{% endmacro %}

{# A name as an identifier, quoted where it must be. #}
{% macro ident(name) %}
    {% if not name or '\x00' in name %}
        {% do sqlrank.refuse('"' ~ name ~ '" cannot be the name of a column or table') %}
    {% endif %}
    {% set spoken = sqlrank.dialect() %}
    {% if spoken.longest_name and name.encode() | length > spoken.longest_name %}
        {% set limit = spoken.title ~ ' reads only ' ~ spoken.longest_name ~ ' bytes of a name' %}
        {% set instead = 'leave out the metric or the parameter that it comes from' %}
        {% do sqlrank.refuse(limit ~ ', and ' ~ name ~ ' is longer; ' ~ instead) %}
    {% elif spoken.substitutes and '${' in name %}
        {% do sqlrank.refuse(spoken.title ~ ' replaces what stands in ${...}, so ' ~ name ~ ' cannot be a name; rename it') %}
    {% elif modules.re.match(sqlrank.patterns().plain_name, name) and name not in spoken.reserved %}
        {% do return(name) %}
    {% endif %}
    {% set escaped = name.replace('\\', '\\\\') if spoken.escapes_names else name %}
    {% set escape = '\\' if spoken.escapes_names else spoken.quote %}
    {% do return(spoken.quote ~ escaped.replace(spoken.quote, escape ~ spoken.quote) ~ spoken.quote) %}
{% endmacro %}

{# A text, number, none, or list of them as a literal. #}
{% macro literal(value) %}
    {% if value is none %}
        {% do return('null') %}
    {% elif value is boolean %}
        {% do return('true' if value else 'false') %}
    {% elif value is integer %}
        {% do return(value | string) %}
    {% elif value is float and value - value == 0 %}
        {% do return((value | int if value.is_integer() and value | abs < 1e15 else value) | string) %}
    {% elif value is string and '\x00' not in value %}
        {% do return(sqlrank.text_literal(value)) %}
    {% elif value is sequence and value is not string %}
        {% set items = [] %}
        {% for item in value %}{% do items.append(sqlrank.literal(item)) %}{% endfor %}
        {% do return('[' ~ items | join(', ') ~ ']') %}
    {% endif %}
    {% do sqlrank.refuse(value ~ ' cannot be written as a value in SQL') %}
{% endmacro %}

{# A text between single quotes. #}
{% macro text_literal(value) %}
    {% if sqlrank.dialect().escapes_bytes and modules.re.search(sqlrank.patterns().control, value.replace('\n', '').replace('\t', '')) %}
        {% set written = [] %}
        {% for character in value.replace('\\', '\\\\').replace("'", "''") %}
            {% do written.append(sqlrank.written_out(character)) %}
        {% endfor %}
        {% do return("E'" ~ written | join ~ "'") %}
    {% elif not sqlrank.dialect().escapes_texts %}
        {% do return("'" ~ value.replace("'", "''") ~ "'") %}
    {% endif %}
    {% set written = [] %}
    {% for character in value %}
        {% do written.append(sqlrank.escapes().get(character, character)) %}
    {% endfor %}
    {% set text = written | join %}
    {% do return("'" ~ (text.replace('${', '$\\{') if sqlrank.dialect().substitutes else text) ~ "'") %}
{% endmacro %}

{# A character, or where it is not seen its bytes in UTF-8 as escapes. #}
{% macro written_out(character) %}
    {% if not modules.re.match(sqlrank.patterns().control, character) %}
        {% do return(character) %}
    {% endif %}
    {% set bytes = [] %}
    {% for byte in character.encode() %}{% do bytes.append('\\x%02x' % byte) %}{% endfor %}
    {% do return(bytes | join) %}
{% endmacro %}

{# Stop with what is wrong and what to do. #}
{% macro refuse(text) %}
    {% do exceptions.raise_compiler_error('sqlrank: ' ~ text) %}
{% endmacro %}
