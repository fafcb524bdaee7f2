{# Relations, columns and options as the templates read them, as sqlrank/export/relation_names.py describes them. #}

{# A relation as its text and the name of its system: one of dbt as its adapter writes it, or a text as it is, which
   is a subquery where a generic test has a condition. #}
{% macro relation(given) %}
    {% if given is not string %}{% do return({'text': given | string, 'name': given.identifier}) %}{% endif %}
    {% set name = given.split('.')[-1].strip('"`').replace('""', '"') %}
    {% do return({'text': given, 'name': 'run' if given.startswith('(') else name}) %}
{% endmacro %}

{# The column of each role of each input: its canonical name unless told. #}
{% macro columns_told(columns) %}
    {% set facts, told = sqlrank.facts(), {} %}
    {% for kind in facts.inputs %}{% do told.update({kind: dict(facts.roles)}) %}{% endfor %}
    {% for name, column in columns.items() %}
        {% set kind, dot, role = name.rpartition('.') %}
        {% if role not in facts.roles or kind not in [''] + facts.inputs %}
            {% set known = facts.roles | join(', ') ~ ', with the input before it if need be: run., qrels.' %}
            {% do sqlrank.refuse('columns: there is no role ' ~ name ~ ' (one of ' ~ known ~ ')') %}
        {% endif %}
        {% for each in ([kind] if kind else facts.inputs) %}{% do told[each].update({role: column}) %}{% endfor %}
    {% endfor %}
    {% do return(told) %}
{% endmacro %}

{# Segments or a weight: of the relation named before the dot, else of the queries if there are any, else of the run. #}
{% macro places(given, labelled=false, queries='') %}
    {% set found = [] %}
    {% for text in ([given] if given is string else given or []) %}
        {% set kind, dot, name = text.partition('.') %}
        {% set told = dot and name and kind in sqlrank.facts().segmented %}
        {% set kind, name = (kind, name) if told else ('run' if queries is none else 'queries', text) %}
        {% if kind == 'queries' and queries is none %}
            {% do sqlrank.refuse(text ~ ': there is no table of queries; name it with queries') %}
        {% endif %}
        {% set judged = kind == 'qrels' or (kind == 'run' and labelled) %}
        {% set read = kind == 'run' or (kind == 'qrels' and labelled) %}
        {% do found.append({'name': name, 'alias': name, 'found': read, 'judged': judged, 'asked': kind == 'queries'}) %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# The segments that `by` names, each with a name of its own in the output. #}
{% macro segments(options, labelled=false, queries='') %}
    {% set found, taken = sqlrank.places(options.get('by'), labelled, queries), sqlrank.facts().output_names %}
    {% for place in found %}
        {% if place.name.lower() in taken + found[: loop.index0] | map(attribute='name') | map('lower') | list %}
            {% do sqlrank.refuse('by=' ~ place.name ~ ': the output has a column of that name; rename yours first') %}
        {% endif %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# The inputs, their columns and the segments. #}
{% macro describe(run, qrels, options) %}
    {% set columns, labelled, queries = options.get('columns') or {}, qrels is none, options.get('queries') %}
    {% set told, given = sqlrank.columns_told(columns), (columns | join(' ')).replace('.', ' ').split() %}
    {% set by_rank, several = options.get('order') == 'rank' or ('rank' in given and 'score' not in given), 'system' in given %}
    {% set segments = sqlrank.segments(options, labelled, queries) %}
    {% set weights = sqlrank.places(options.get('weight'), labelled, queries) %}
    {% set asked = (segments + weights) | selectattr('asked') | list | length > 0 %}
    {% set relations = dict(options, run=run, qrels=qrels, queries=queries if asked else none) %}
    {% do relations.update({'items': options.get('items') or options.get('history')}) %}
    {% for kind, each in told.items() %}
        {% set relation = relations.get(kind) %}
        {% do each.update({'relation': none if relation is none else sqlrank.relation(relation).text}) %}
    {% endfor %}
    {% for kind, which in [('run', 'found'), ('qrels', 'judged'), ('queries', 'asked')] %}
        {% set weight = weights | selectattr(which) | map(attribute='name') | list + [none] %}
        {% do told[kind].update({'extra': segments | selectattr(which) | list, 'weight': weight[0]}) %}
    {% endfor %}
    {% do told.run.update({'where': options.get('where'), 'score': told.run.rank if by_rank else told.run.score}) %}
    {% do told.baseline.update({'direction': 'asc' if 'baseline.rank' in columns else 'desc'}) %}
    {% set made = {'run': told.run, 'qrels': told.qrels, 'asked': told.queries, 'labelled': labelled} %}
    {% for kind in ['items', 'history', 'baseline'] %}
        {% do made.update({kind: told[kind] if told[kind].relation else none}) %}
    {% endfor %}
    {% set direction = 'asc' if by_rank or options.get('order') == 'asc' else 'desc' %}
    {% do made.update({'several': several, 'system': none if several else sqlrank.relation(run).name}) %}
    {% do made.update({'by_rank': by_rank, 'direction': direction, 'segments': segments}) %}
    {% do return(dict(made, weighted=weights | length > 0, unread=queries is not none and not asked)) %}
{% endmacro %}

{# Refuse a metric of the other grain, without its inputs, or that the engine or an order of ties has no value for. #}
{% macro check_measure(measure, inputs, options, grain) %}
    {% if measure.metric.grain != grain %}
        {% set instead = {'query': 'overall', 'system': 'per_query or summary'}[grain] %}
        {% set what = measure.text ~ ': one value for a ' ~ measure.metric.grain ~ '; ask for it with sqlrank.' %}
        {% do sqlrank.refuse(what ~ instead) %}
    {% elif options.get('ties') == 'average' and not measure.metric.linear %}
        {% do sqlrank.refuse('ties=average: ' ~ measure.text ~ ' has no closed form; choose an order of ties') %}
    {% elif 'ideal_novelty' in measure.reads and not sqlrank.dialect().recursive_windows %}
        {% set instead = ' cannot find the greedy ideal of ' ~ measure.text ~ '; take alpha_dcg, err_ia or nrbp' %}
        {% do sqlrank.refuse(sqlrank.dialect().title ~ instead) %}
    {% endif %}
    {% set given = dict(inputs, category=options.get('items'), subtopic=not inputs.labelled, score=true, relevance=true) %}
    {% for kind in measure.inputs if not given[kind] %}
        {% set named = {'category': 'items', 'subtopic': 'qrels with a column of subtopics'} %}
        {% do sqlrank.refuse(measure.text ~ ': ' ~ named.get(kind, kind) ~ ' is needed') %}
    {% endfor %}
{% endmacro %}
