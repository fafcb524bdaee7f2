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
    {% set told = sqlrank.facts().inputs %}
    {% for name, column in columns.items() %}
        {% set kind, dot, role = name.rpartition('.') %}
        {% set known = ' (one of ' ~ told.run | join(', ') ~ ', with the input before it if need be: run., qrels.)' %}
        {% if role not in told.run or kind not in [''] + told | list %}
            {% do sqlrank.refuse('columns: there is no role ' ~ name ~ known) %}
        {% endif %}
        {% for each in ([kind] if kind else told) %}{% do told[each].update({role: column}) %}{% endfor %}
    {% endfor %}
    {% do return(told) %}
{% endmacro %}

{# Whether every row of the judgments is relevance 1. #}
{% macro are_positives(options) %}
    {% set columns = options.get('columns') or {} %}
    {% set counted = 'relevance' in columns or 'qrels.relevance' in columns %}
    {% do return(options.get('positives') is not none and not counted) %}
{% endmacro %}

{# The columns that are made of lists, by input; the inputs read them. #}
{% macro lists_in(told, separator, positive) %}
    {% set facts, found, unjudged = sqlrank.facts(), {}, 'run' if told.qrels.relation else '' %}
    {% set unjudged = unjudged ~ (' qrels' if positive else '') %}
    {% for kind, each in told.items() if each.relation is not none %}
        {% set lists, columns = {}, [] %}
        {% set roles = facts.listed.get(kind, []) | reject('equalto', 'relevance' if kind in unjudged else '') | list %}
        {% for role in facts.roles[kind] if each[role] is string %}
            {% set parts = modules.re.fullmatch(sqlrank.patterns().in_lists, each[role]) %}
            {% set refused = parts and role not in facts.made_of_lists or (parts and kind not in facts.listed) %}
            {% if refused %}
                {% set reason = ': the ' ~ role ~ ' of ' ~ facts.titles[kind] ~ ' is not read from lists' %}
                {% do sqlrank.refuse(kind ~ '.' ~ role ~ '=' ~ each[role] ~ reason) %}
            {% endif %}
            {% if parts and role in roles %}{% do lists.update({role: parts.groups()}) %}{% endif %}
        {% endfor %}
        {% for role in roles if lists %}
            {% set needed = role in ['doc_id', 'relevance'] or each[role] != role %}
            {% set reason = '=NAME[] is needed: where ' ~ lists | min ~ ' is in lists, so is ' ~ role %}
            {% if role in lists %}
                {% set name, list, key = facts.made_of_lists[role], lists[role][0], lists[role][1] %}
                {% set made = {'name': name, 'list': list, 'key': key, 'identifies': role == 'doc_id'} %}
                {% set element = 'sqlrank_element_' ~ (columns | length + 1) %}
                {% do columns.append(dict(made, element=element, beside=list != lists.doc_id[0])) %}
                {% do each.update({role: name}) %}
            {% elif needed %}
                {% do sqlrank.refuse(kind ~ '.' ~ role ~ reason) %}
            {% endif %}
        {% endfor %}
        {% set ordered = 'rank' in roles and 'score' not in lists and 'rank' not in lists %}
        {% set place, pattern = facts.place if ordered else none, modules.re.escape(separator or '') %}
        {% if ordered and lists %}{% do each.update({'rank': place}) %}{% endif %}
        {% set made = {'columns': columns, 'place': place, 'separator': separator, 'pattern': pattern} %}
        {% do found.update({kind: made} if lists else {}) %}
    {% endfor %}
    {% if separator is not none and (not found or not separator) %}
        {% do sqlrank.refuse('separator: tell which columns hold lists, such as run.doc_id=docs[]') %}
    {% elif separator is not none and not sqlrank.dialect().split %}
        {% set reason = ' cannot split texts at a separator: make a list of each text in a view' %}
        {% do sqlrank.refuse(sqlrank.dialect().title ~ reason) %}
    {% endif %}
    {% do return(found) %}
{% endmacro %}

{# Whether a rank orders an input, because a rank is told and no score, or lists of documents in their order. #}
{% macro ordered_by_rank(kind, columns, lists) %}
    {% set scored = 'score' in columns or kind ~ '.score' in columns %}
    {% set ranked = 'rank' in columns or kind ~ '.rank' in columns or lists.get(kind, {}).get('place') %}
    {% do return(true if ranked and not scored else false) %}
{% endmacro %}

{# The columns that a name stands for: several between commas for an id. #}
{% macro columns_in(named) %}
    {% do return(named.split(',') | map('trim') | list if named is string else named | list) %}
{% endmacro %}

{# Let columns that are made of others be those of a step, of which the inputs read them; gives these steps. #}
{% macro prepared(told, session, positive, lists) %}
    {% set facts, steps = sqlrank.facts(), [] %}
    {% for kind, each in told.items() if each.relation is not none %}
        {% set ids = [] %}
        {% for role, name in facts.composed.items() %}
            {% set more = [session] if session and role == 'query_id' and kind in facts.sessioned else [] %}
            {% set columns = sqlrank.columns_in(each[role]) + more %}
            {% if columns | length > 1 %}
                {% do ids.append({'name': name, 'columns': columns, 'role': role, 'complaint': none}) %}
                {% do each.update({role: name}) %}
            {% endif %}
        {% endfor %}
        {% set relevance = facts.positive if positive and kind == 'qrels' else none %}
        {% if ids or relevance or kind in lists or each.computed or each.given_where %}
            {% set said = ([facts.an_id] if ids else []) + ([facts.of_lists] if kind in lists else []) %}
            {% set said = said + ([facts.relevant] if relevance else []) %}
            {% set said = said + ([facts.computed] if each.computed else []) %}
            {% set said = said + ([facts.filtered] if each.given_where else []) %}
            {% set title = facts.titles[kind] ~ ', ' ~ said | join(' and ') %}
            {% set made = {'name': 'given_' ~ kind, 'title': title, 'ids': ids, 'relation': each.relation} %}
            {% do made.update({'computed': each.computed, 'where': each.given_where}) %}
            {% do steps.append(dict(made, relevance=relevance, lists=lists.get(kind))) %}
            {% do each.update({'relation': made.name, 'relevance': relevance or each.relevance}) %}
        {% endif %}
    {% endfor %}
    {% do return(steps) %}
{% endmacro %}

{# The columns of the id of a query that its row carries besides the segments. #}
{% macro carried(steps, segments) %}
    {% set found, shown, taken = [], segments | map(attribute='alias') | map('lower') | list, sqlrank.facts().output_names %}
    {% for step in steps if step.name == 'given_run' %}
        {% for id in step.ids if id.role == 'query_id' %}
            {% for column in id.columns if column.lower() not in shown %}
                {% set number = id.columns.index(column) + 1 %}
                {% set name = column ~ '_part' if column.lower() in taken else column %}
                {% do found.append({'number': number, 'name': name}) %}
            {% endfor %}
        {% endfor %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# Segments (option `by`) or a weight, each of the relation named before the dot, else of the queries if there are any,
   else of the run, or computed of its columns; those in `taken` would have a name in the output that a column has. #}
{% macro places(given, option, labelled=false, queries='', taken=[]) %}
    {% set found, names = [], taken | list %}
    {% for text in ([given] if given is string else given or []) %}
        {% set read = sqlrank.named_expression(text, option) %}
        {% set text = read.name %}
        {% set kind, dot, name = text.partition('.') %}
        {% set told = dot and name and kind in sqlrank.facts().segmented and read.expression is none %}
        {% set kind, name = (kind, name) if told else ('run' if queries is none else 'queries', text) %}
        {% set missing = kind == 'queries' and queries is none %}
        {% if missing %}{% do sqlrank.refuse(text ~ ': there is no table of queries; name it') %}{% endif %}
        {% set reason = ': the output has a column of that name, or two segments would have it; rename yours' %}
        {% if name.lower() in names %}{% do sqlrank.refuse('by=' ~ name ~ reason) %}{% endif %}
        {% do names.append(name.lower() if taken else '') %}
        {% set ran, judged = kind == 'run', kind == 'qrels' %}
        {% set each = dict(read, name=name, alias=name, asked=kind == 'queries') %}
        {% do found.append(dict(each, found=ran or (judged and labelled), judged=judged or (ran and labelled))) %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# The segments that `by` names. #}
{% macro segments(options, labelled=false, queries='') %}
    {% do return(sqlrank.places(options.get('by'), 'by', labelled, queries, sqlrank.facts().output_names)) %}
{% endmacro %}

{# The inputs, their columns and the segments. #}
{% macro describe(run, qrels, options) %}
    {% if options.get('positives') is not none and qrels is not none %}
        {% do sqlrank.refuse('positives stand in place of qrels: give one of them') %}
    {% endif %}
    {% set qrels = options.get('positives') if qrels is none else qrels %}
    {% set columns, labelled, queries = options.get('columns') or {}, qrels is none, options.get('queries') %}
    {% set told, given = sqlrank.columns_told(columns), (columns | join(' ')).replace('.', ' ').split() %}
    {% set several, segments = 'system' in given, sqlrank.segments(options, labelled, queries) %}
    {% set weights = sqlrank.places(options.get('weight'), 'weight', labelled, queries) %}
    {% set asked = (segments + weights) | selectattr('asked') | list | length > 0 %}
    {% set relations = dict(options, run=run, qrels=qrels, queries=queries if asked else none) %}
    {% do relations.update({'items': options.get('items') or options.get('history')}) %}
    {% for kind, each in told.items() %}
        {% set relation = relations.get(kind) %}
        {% do each.update({'relation': none if relation is none else sqlrank.relation(relation).text}) %}
        {% do each.update({'computed': [], 'given_where': none}) %}
    {% endfor %}
    {% for kind, which in [('run', 'found'), ('qrels', 'judged'), ('queries', 'asked')] %}
        {% set weight = weights | selectattr(which) | map(attribute='name') | list + [none] %}
        {% do told[kind].update({'extra': segments | selectattr(which) | list, 'weight': weight[0]}) %}
    {% endfor %}
    {% if not options.get('items') %}{% do told.update({'items': dict(told.history)}) %}{% endif %}
    {% set positive = sqlrank.are_positives(options) %}
    {% set lists = sqlrank.lists_in(told, options.get('separator'), positive) %}
    {% set by_rank = options.get('order') == 'rank' or sqlrank.ordered_by_rank('run', columns, lists) %}
    {% set direction = 'asc' if options.get('order') == 'asc' else 'desc' %}
    {% set ranks = sqlrank.ordered_by_rank('baseline', columns, lists) %}
    {% do told.baseline.update({'direction': 'asc', 'score': told.baseline.rank} if ranks else {'direction': direction}) %}
    {% do told.run.update({'score': told.run.rank} if by_rank else {}) %}
    {% set conditions, computing, computed = sqlrank.conditions(options), 'run' if queries is none else 'queries', [] %}
    {% if conditions.qrels and labelled %}{% do sqlrank.refuse('where: there are no judgments of their own') %}{% endif %}
    {% for each in segments + weights if each.expression is not none %}
        {% do computed.append({'name': each.name, 'expression': each.expression}) %}
    {% endfor %}
    {% do told.run.update({'where': conditions.run}) %}
    {% do told.qrels.update({'given_where': conditions.qrels}) %}
    {% do told[computing].update({'computed': computed}) %}
    {% set steps = sqlrank.prepared(told, options.get('session'), positive, lists) %}
    {% set made = {'run': told.run, 'qrels': told.qrels, 'asked': told.queries, 'labelled': labelled} %}
    {% for kind in ['items', 'history', 'baseline'] %}
        {% do made.update({kind: told[kind] if told[kind].relation else none}) %}
    {% endfor %}
    {% set direction = 'asc' if by_rank else direction %}
    {% do made.update({'several': several, 'system': none if several else sqlrank.relation(run).name}) %}
    {% do made.update({'by_rank': by_rank, 'direction': direction, 'segments': segments}) %}
    {% do made.update({'prepared': steps, 'id_columns': sqlrank.carried(steps, segments)}) %}
    {% do return(dict(made, weighted=weights | length > 0, unread=queries is not none and not asked)) %}
{% endmacro %}

{# Refuse a metric of the other grain, without its inputs, or that the engine or an order of ties has no value for. #}
{% macro check_measure(measure, inputs, options, grain) %}
    {% set facts, metric, greedy = sqlrank.facts(), measure.metric, 'ideal_novelty' in measure.reads %}
    {% set values = {'asked': grain, 'grain': metric.grain, 'linear': metric.linear, 'ties': options.get('ties')} %}
    {% do values.update({'greedy': greedy, 'recursive': sqlrank.dialect().recursive_windows}) %}
    {% do sqlrank.refuse_if(facts.unfit, values, measure.text ~ ': ') %}
    {% set given = {'category': options.get('items'), 'subtopic': not inputs.labelled, 'score': 1, 'relevance': 1} %}
    {% for kind in measure.inputs if not given.get(kind, inputs[kind]) %}
        {% do sqlrank.refuse(measure.text ~ ': ' ~ facts.input_names.get(kind, kind) ~ ' is needed') %}
    {% endfor %}
{% endmacro %}
