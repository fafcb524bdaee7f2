{# The conventions and what they mean for a statement, as sqlrank/conventions.py and statement/render.py have it. #}

{# Every convention with its value; refuses options and values that are not known. #}
{% macro conventions(options) %}
    {% set facts = sqlrank.facts() %}
    {% for name in options if name not in facts.conventions and name not in facts.options %}
        {% set known = (facts.conventions | list + facts.options) | join(', ') %}
        {% do sqlrank.refuse('there is no option ' ~ name ~ ' (one of ' ~ known ~ ')') %}
    {% endfor %}
    {% set settled = {} %}
    {% for name, entry in facts.conventions.items() %}
        {% set value = options.get(name) %}
        {% set value = entry.default if value is none else value %}
        {% if entry.choices and value not in entry.choices %}
            {% do sqlrank.refuse(name ~ '=' ~ value ~ ' is not known (one of ' ~ entry.choices | join(', ') ~ ')') %}
        {% endif %}
        {% do settled.update({name: value}) %}
    {% endfor %}
    {% if not settled.rel is number or settled.rel - settled.rel != 0 %}
        {% do sqlrank.refuse('rel=' ~ settled.rel ~ ' is not a finite number') %}
    {% elif settled.depth is not none and (settled.depth is not integer or settled.depth < 1) %}
        {% do sqlrank.refuse('depth=' ~ settled.depth ~ ' keeps nothing; give a whole number, 1 or more') %}
    {% elif settled.order == 'rank' and (settled.depth is not none or settled.unjudged == 'remove') %}
        {% do sqlrank.refuse('order=rank takes places as given; leave out depth and unjudged=remove') %}
    {% endif %}
    {% do settled.update({'rel': settled.rel | float}) %}
    {% do sqlrank.check_conventions(settled) %}
    {% do return(settled) %}
{% endmacro %}

{# Refuse what needs a look at the rows, which a statement cannot take. #}
{% macro check_conventions(conventions) %}
    {% for refused, option, instead in [
        (conventions.ties == 'input', 'ties=input', 'name a rank column and choose ties=rank'),
        (conventions.ties == 'error', 'ties=error', 'choose an order of ties'),
        (conventions.ties == 'average' and conventions.depth, 'depth with ties=average', 'choose one of them'),
        (conventions.duplicates == 'first', 'duplicates=first', 'choose duplicates=best'),
        (conventions.empty == 'error', 'empty=error', 'choose empty=zero, one or skip'),
    ] if refused %}
        {% do sqlrank.refuse(option ~ ' needs a look at the rows, which a statement cannot take; ' ~ instead) %}
    {% endfor %}
    {% if conventions.score_type == 'float' and not sqlrank.dialect().single %}
        {% do sqlrank.refuse(sqlrank.dialect().title ~ ' has no 32-bit floats; leave out score_type=float') %}
    {% endif %}
{% endmacro %}

{# Refuse metrics whose mean over the orders of ties has no closed form. #}
{% macro check_average(measures, conventions) %}
    {% for measure in measures if conventions.ties == 'average' and not measure.metric.linear %}
        {% do sqlrank.refuse('ties=average: ' ~ measure.text ~ ' has no closed form; choose an order of ties') %}
    {% endfor %}
{% endmacro %}

{# What the conventions mean for these inputs: which steps stand in the statement, and what they read. #}
{% macro policies(inputs, conventions, measures, plan, judged) %}
    {% set labelled = inputs.labelled %}
    {% set single = conventions.duplicates == 'error' %}
    {% set pooled = conventions.judgments != 'error' or (labelled and (inputs.several or not single)) %}
    {% set pooled = pooled or 'subtopic' in sqlrank.inputs_of(measures) %}
    {% set ordered = not single or conventions.ties in ['best', 'worst'] or conventions.unjudged == 'remove' %}
    {% set attach = pooled if labelled else ordered or plan.ranks_all or judged %}
    {% set usual = single and conventions.query_set == 'judged' and conventions.score_type == 'double' %}
    {% set odd = inputs.several or inputs.segments or inputs.weighted or (labelled and conventions.depth) %}
    {% set plain = measures and not attach and plan.in_one_step and usual and not odd %}
    {% set row_keys = (('ranked.' ~ sqlrank.ident('system') ~ ', ') if inputs.several else '') ~ 'ranked.query_id' %}
    {% do return({
        'without_judgments': false,
        'query_keys': (('query_rows.' ~ sqlrank.ident('system') ~ ', ') if inputs.several else '') ~ 'query_rows.query_id',
        'row_keys': 'judged.query_id' if plain and not labelled else row_keys,
        'direction': inputs.direction,
        'plain': plain,
        'outer': plain and not labelled,
        'united': plain and not labelled and sqlrank.dialect().shuffles,
        'named': true,
        'kept': [],
        'partition': none,
        'keys': (sqlrank.ident('system') ~ ', ' if inputs.several else '') ~ 'query_id',
        'pooled': pooled,
        'attach': attach,
        'candidates': 'candidates' if attach else 'run_rows',
        'carries': attach or labelled,
        'averaged': conventions.ties == 'average',
        'ascending': inputs.direction == 'asc',
        'ranking': 'documents',
        'checked': false,
        'rankings': none,
        'parts': 1,
        'part': 0,
        'empty_value': {'zero': 0, 'one': 1, 'skip': none}[conventions.empty],
    }) %}
{% endmacro %}

{# The last rank that matters. #}
{% macro row_limit(deepest, conventions) %}
    {% set limits = [] %}
    {% if conventions.depth and conventions.unjudged != 'remove' %}
        {% do limits.append(conventions.depth) %}
    {% endif %}
    {% if deepest is not none %}
        {% do limits.append([deepest, 1] | max) %}
    {% endif %}
    {% do return(limits | min if limits else none) %}
{% endmacro %}

{# The lines of the comment above a statement. #}
{% macro header(measures, conventions, inputs) %}
    {% set described = [] %}
    {% for name, value in conventions.items() if value is not none %}
        {% do described.append(name.replace('_', '-') ~ '=' ~ sqlrank.plain(value)) %}
    {% endfor %}
    {% set texts = [
        'sqlrank ' ~ sqlrank.facts().version ~ ': ' ~ measures | map(attribute='text') | join(', '),
        'with ' ~ described | join(', '),
    ] + sqlrank.facts().assumptions + (sqlrank.facts().unread if inputs.unread else []) %}
    {% set lines = [] %}
    {% for text in texts %}
        {% do lines.extend((text | wordwrap(147, break_on_hyphens=false, wrapstring='\n')).splitlines()) %}
    {% endfor %}
    {% do return(lines) %}
{% endmacro %}
