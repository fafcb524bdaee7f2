{# SQL of the user that reads a row, as sqlrank/inputs/expressions.py reads it. #}

{# A condition or an expression as it is, which stands in brackets: nothing in it may end them, or hide what follows. #}
{% macro one_expression(given, option) %}
    {% set patterns, opened = sqlrank.patterns(), [0] %}
    {% set bare = modules.re.sub(patterns.quoted, 'x', given) %}
    {% for sign in bare if sign in '()' %}{% do opened.append(opened[-1] + (1 if sign == '(' else -1)) %}{% endfor %}
    {% set hides = modules.re.search(patterns.ending, bare) or modules.re.search('[\\\\{][\'"`{%#]', given) %}
    {% if hides or opened | min < 0 or opened[-1] %}
        {% set instead = ' is not one expression over a row, such as market = \'de\' and device is not null' %}
        {% do sqlrank.refuse(option ~ '=' ~ given ~ instead) %}
    {% endif %}
    {% do return(given) %}
{% endmacro %}

{# The conditions of `where` by input: on the run, and on the judgments or positives. #}
{% macro conditions(options) %}
    {% set where, found = options.get('where') or [], {} %}
    {% set judged = 'qrels' if options.get('positives') is none else 'positives' %}
    {% set texts = [where] if where is string else where %}
    {% if where is mapping %}
        {% set texts = [] %}
        {% for kind, condition in where.items() %}{% do texts.append(kind ~ ':' ~ condition) %}{% endfor %}
    {% endif %}
    {% for text in texts %}
        {% set named = modules.re.fullmatch(sqlrank.patterns().of_input, text) %}
        {% set kind, condition = (named.group(1).lower(), named.group(2)) if named else ('run', text) %}
        {% if kind not in ['run', judged] or kind in found %}
            {% set reason = ': one condition on the run and one on the ' ~ judged ~ ', as run: and ' ~ judged ~ ':' %}
            {% do sqlrank.refuse('where=' ~ text ~ reason) %}
        {% endif %}
        {% do found.update({kind: sqlrank.one_expression(condition, 'where')}) %}
    {% endfor %}
    {% do return({'run': found.get('run'), 'qrels': found.get(judged)}) %}
{% endmacro %}

{# A segment or a weight as its name, and the expression that computes it: none of a column. #}
{% macro named_expression(text, option) %}
    {% set named = modules.re.fullmatch(sqlrank.patterns().named, text) if option == 'by' else none %}
    {% set name, expression = (named.group(1), named.group(2)) if named else (text, none) %}
    {% set sum = option == 'weight' and modules.re.search('[-+*/%|<>=()]', text) %}
    {% set expression = text if sum else expression %}
    {% if expression is not none %}{% do sqlrank.one_expression(expression, option) %}{% endif %}
    {% do return({'name': name, 'expression': expression}) %}
{% endmacro %}
