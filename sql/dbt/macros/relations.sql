{# Relations, columns and options as the templates read them, as sqlrank/export/statement.py describes them. #}

{# A relation as its text and the name of its system: of dbt as its adapter writes it, or a dotted name. #}
{% macro relation(given) %}
    {% if given is not string %}
        {% set made = {'text': given | string, 'name': given.identifier} if given.identifier is defined else given %}
        {% do return(made) %}
    {% endif %}
    {% if sqlrank.dialect().dashed_projects %}
        {% set given = modules.re.sub(sqlrank.patterns().project, '`\\g<0>`', given) %}
    {% endif %}
    {% set parts = modules.re.findall(sqlrank.patterns().part, given) %}
    {% if not parts or parts | join('.') != given %}
        {% set instead = 'write ref(...), source(...) or schema.table' %}
        {% do sqlrank.refuse('"' ~ given ~ '" is not the name of a relation; ' ~ instead) %}
    {% endif %}
    {% set quoted = [] %}
    {% for part in parts %}
        {% set name = sqlrank.bare(part) %}
        {% set kept = name == part and sqlrank.ident(part.lower()) == part.lower() %}
        {% do quoted.append(part if kept else sqlrank.ident(name)) %}
    {% endfor %}
    {% do return({'text': quoted | join('.'), 'name': sqlrank.bare(parts[-1])}) %}
{% endmacro %}

{# A part of a dotted name without its quotes. #}
{% macro bare(part) %}
    {% do return(part[1:-1].replace(part[0] * 2, part[0]) if part[0] in '"`' else part) %}
{% endmacro %}

{# What a generic test is about, which dbt gives as a subquery where the test has a condition. #}
{% macro tested(model) %}
    {% do return({'text': model, 'name': 'run'} if model is string and model.startswith('(') else model) %}
{% endmacro %}

{# The inputs, their columns and the segments. #}
{% macro describe(run, qrels, options) %}
    {% if options.get('where') is not none %}
        {% do sqlrank.check_condition(options.where) %}
    {% endif %}
    {% set labelled = qrels is none %}
    {% set columns = options.get('columns') or {} %}
    {% set told = sqlrank.columns_told(columns) %}
    {% set given = [] %}
    {% for name in columns %}{% do given.append(name.split('.')[-1]) %}{% endfor %}
    {% set by_rank = options.get('order') == 'rank' or ('rank' in given and 'score' not in given) %}
    {% set segments = [] %}
    {% for name in sqlrank.names_by(options) %}
        {% do segments.append(sqlrank.segment(name, labelled, options.get('queries'))) %}
    {% endfor %}
    {% set weight = sqlrank.segment(options.weight, labelled, options.get('queries')) if options.get('weight') else {} %}
    {% set asked = (segments + [weight]) | selectattr('asked', 'true') | list | length > 0 %}
    {% set several = 'system' in given %}
    {% set run_relation = sqlrank.relation(run) %}
    {% do told.run.update({
        'relation': run_relation.text,
        'extra': segments | selectattr('found') | list,
        'where': options.get('where'),
        'weight': weight.name if weight.get('found') else none,
    }) %}
    {% if by_rank %}
        {% do told.run.update({'score': told.run.rank}) %}
    {% endif %}
    {% do told.qrels.update({
        'relation': none if labelled else sqlrank.relation(qrels).text,
        'extra': segments | selectattr('judged') | list,
        'weight': weight.name if weight.get('judged') else none,
    }) %}
    {% do told.queries.update({
        'relation': sqlrank.relation(options.queries).text if asked else none,
        'weight': weight.name if weight.get('asked') else none,
    }) %}
    {% set inputs = {
        'run': told.run,
        'qrels': told.qrels,
        'asked': told.queries,
        'unread': true if options.get('queries') and not asked else false,
        'labelled': labelled,
        'several': several,
        'system': none if several else run_relation.name,
        'by_rank': by_rank,
        'direction': 'asc' if by_rank or options.get('order') == 'asc' else 'desc',
        'segments': segments,
        'weighted': true if options.get('weight') else false,
    } %}
    {% for kind in ['items', 'history', 'baseline'] %}
        {% set data = options.get(kind) or (options.get('history') if kind == 'items' else none) %}
        {% do told[kind].update({
            'relation': sqlrank.relation(data).text if data else none,
            'direction': 'asc' if 'baseline.rank' in columns else 'desc',
        }) %}
        {% do inputs.update({kind: told[kind] if data else none}) %}
    {% endfor %}
    {% do return(inputs) %}
{% endmacro %}

{# The column of each role of each input: its canonical name unless told. #}
{% macro columns_told(columns) %}
    {% set facts = sqlrank.facts() %}
    {% set told = {} %}
    {% for kind in facts.inputs %}
        {% do told.update({kind: dict(facts.roles)}) %}
    {% endfor %}
    {% for name, column in columns.items() %}
        {% set role = name.split('.')[-1] %}
        {% set kind = name[: -(role | length) - 1] %}
        {% if role not in facts.roles or kind not in [''] + facts.inputs %}
            {% set known = facts.roles | join(', ') ~ ', with the input before it if need be: run., qrels.' %}
            {% do sqlrank.refuse('columns: there is no role ' ~ name ~ ' (one of ' ~ known ~ ')') %}
        {% endif %}
        {% for target in ([kind] if kind else facts.inputs) %}
            {% do told[target].update({role: column}) %}
        {% endfor %}
    {% endfor %}
    {% do return(told) %}
{% endmacro %}

{# The columns of by, one or several. #}
{% macro names_by(options) %}
    {% set names = options.get('by') or [] %}
    {% set names = [names] if names is string else names %}
    {% set shown = [] %}
    {% for name in names %}
        {% do shown.append(sqlrank.bare_name(name).lower()) %}
        {% if shown[-1] in sqlrank.facts().output_names %}
            {% do sqlrank.refuse('by=' ~ name ~ ': the output has a column of that name; rename the column first') %}
        {% endif %}
    {% endfor %}
    {% if names | map('lower') | unique | list | length < names | length %}
        {% do sqlrank.refuse('by=' ~ names | join(', ') ~ ': a column is named twice') %}
    {% elif shown | unique | list | length < names | length %}
        {% do sqlrank.refuse('by=' ~ names | join(', ') ~ ': two segments would have one name in the output') %}
    {% endif %}
    {% do return(names) %}
{% endmacro %}

{# What a segment is called in the output: its name without that of its input. #}
{% macro bare_name(text) %}
    {% set kind, dot, name = text.partition('.') %}
    {% do return(name if name and kind in sqlrank.facts().segmented else text) %}
{% endmacro %}

{# A segment or weight: of the relation named before the dot, else of the queries if there are any, else of the run. #}
{% macro segment(text, labelled, queries) %}
    {% set name = sqlrank.bare_name(text) %}
    {% set kind = text.partition('.')[0] if name != text else 'queries' if queries else 'run' %}
    {% if kind == 'queries' and not queries %}
        {% do sqlrank.refuse(text ~ ': there is no table of queries; name it with queries') %}
    {% endif %}
    {% do return({
        'name': name,
        'alias': name,
        'found': kind == 'run' or (kind == 'qrels' and labelled),
        'judged': kind == 'qrels' or (kind == 'run' and labelled),
        'asked': kind == 'queries',
    }) %}
{% endmacro %}

{# The inputs that measures cannot do without, each with the texts of those measures. #}
{% macro inputs_of(measures) %}
    {% set found = {} %}
    {% for measure in measures %}
        {% set names = measure.metric.inputs | list %}
        {% for column in measure.metric.reads + measure.metric.empty %}
            {% do names.append(sqlrank.columns()[column].input) %}
        {% endfor %}
        {% for name in names | select | unique(case_sensitive=true) %}
            {% set spared = measure.metric.spares.get(name) %}
            {% if spared is none or dict(measure['values'], **spared) != measure['values'] %}
                {% do found.update({name: (found[name] ~ ', ' if name in found else '') ~ measure.text}) %}
            {% endif %}
        {% endfor %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# Refuse metrics whose inputs were not named, or whose ideal the engine cannot find. #}
{% macro check_needs(measures, inputs, options) %}
    {% set needs = sqlrank.inputs_of(measures) %}
    {% if 'category' in needs and not options.get('items') %}
        {% do sqlrank.refuse(needs.category ~ ': items is needed') %}
    {% endif %}
    {% for kind in ['items', 'history', 'baseline'] if kind in needs and not inputs[kind] %}
        {% do sqlrank.refuse(needs[kind] ~ ': ' ~ kind ~ (' (or history)' if kind == 'items' else '') ~ ' is needed') %}
    {% endfor %}
    {% if 'subtopic' in needs and inputs.labelled %}
        {% do sqlrank.refuse(needs.subtopic ~ ': judgments by subtopic are needed; name them with qrels') %}
    {% endif %}
    {% for measure in measures if 'ideal_novelty' in measure.metric.reads and not sqlrank.dialect().recursive_windows %}
        {% set instead = 'take alpha_dcg, err_ia or nrbp' %}
        {% set what = sqlrank.dialect().title ~ ' cannot find the greedy ideal of ' ~ measure.text %}
        {% do sqlrank.refuse(what ~ '; ' ~ instead) %}
    {% endfor %}
{% endmacro %}

{# Refuse a condition that the engine may read in another way than we do, or that is more than an expression over a row,
   as sqlrank/statement/lexers.py does. #}
{% macro check_condition(text) %}
    {% set spoken = sqlrank.dialect() %}
    {% set pattern = sqlrank.tokens()[spoken.name] %}
    {% set read = modules.re.match('(?:' ~ pattern ~ ')*', text).end() %}
    {% if not text.strip() %}
        {% do sqlrank.refuse('where is empty') %}
    {% elif read < text | length %}
        {% set mark = modules.re.match('\\w*?(--|/\\*|//|\\$\\$|[^\\w\\s])|\\w+', text[read:]) %}
        {% set shown = (mark.group(1) or mark.group(0)) if mark else text[read] %}
        {% set what = 'there is ' ~ shown ~ ' outside of quotes, or a quote is not closed, at character ' ~ (read + 1) %}
        {% do sqlrank.refuse_condition(text, what ~ '; ' ~ spoken.title ~ ' may read it in another way') %}
    {% elif spoken.substitutes and '${' in text %}
        {% do sqlrank.refuse_condition(text, spoken.title ~ ' replaces what stands in ${...}') %}
    {% endif %}
    {% set kinds = [] %}
    {% set texts = [''] %}
    {% for found in modules.re.finditer(pattern, text) if found.lastgroup != 'space' %}
        {% do kinds.append(found.lastgroup) %}
        {% do texts.append(found.group(0)) %}
    {% endfor %}
    {% for kind in kinds %}
        {% set following = texts[loop.index + 1] if not loop.last else '' %}
        {% set what = sqlrank.wrong_word(kind, texts[: loop.index + 1], following, kinds[loop.index :], texts[loop.index + 1 :]) %}
        {% if what %}
            {% do sqlrank.refuse_condition(text, 'there is ' ~ texts[loop.index] ~ what) %}
        {% endif %}
    {% endfor %}
    {% do sqlrank.check_brackets(text, texts[1:]) %}
{% endmacro %}

{# What is wrong with a word that stands after some tokens and before others; nothing where it is harmless. #}
{% macro wrong_word(kind, before, following, kinds, texts) %}
    {% set words = sqlrank.condition_words() %}
    {% set word = before[-1].lower() %}
    {% set last = before[-2].lower() %}
    {% if kind == 'name' and following == '(' %}
        {% do return(', a function by a quoted name') %}
    {% elif kind != 'word' or (last == '.' and following != '(') %}
        {% do return('') %}
    {% elif word in words.begins_query or (word == 'from' and (last in ['', '(', ','] or following == '(')) %}
        {% do return(', which begins a query') %}
    {% elif word == 'in' %}
        {% set operand = last not in words.joins and not modules.re.fullmatch(words.no_operand, last) %}
        {% set values = [] %}
        {% set closed = [] %}
        {% for token in texts %}
            {% if token == ')' %}
                {% do closed.append(token) %}
            {% elif not closed and loop.index0 and kinds[loop.index0] not in ['word', 'name'] and token != '.' %}
                {% do values.append(token) %}
            {% endif %}
        {% endfor %}
        {% do return('' if operand and following == '(' and values else ' without a list of values in brackets') %}
    {% elif following == '(' and (last == '.' or word not in words.functions) %}
        {% do return('(, which is not one of the functions that only compute from a row') %}
    {% endif %}
    {% do return('') %}
{% endmacro %}

{# Refuse brackets that do not match. #}
{% macro check_brackets(text, texts) %}
    {% set open = [] %}
    {% for mark in texts %}
        {% if mark in ['(', '['] %}
            {% do open.append({'(': ')', '[': ']'}[mark]) %}
        {% elif mark in [')', ']'] and (not open or open.pop() != mark) %}
            {% do sqlrank.refuse_condition(text, 'a ' ~ mark ~ ' closes nothing') %}
        {% endif %}
    {% endfor %}
    {% if open %}
        {% do sqlrank.refuse_condition(text, 'a ' ~ open[-1] ~ ' is missing') %}
    {% endif %}
{% endmacro %}

{# Stop with what is wrong with a condition. #}
{% macro refuse_condition(text, what) %}
    {% do sqlrank.refuse('where="' ~ text ~ '" is not one SQL expression over a row: ' ~ what) %}
{% endmacro %}

{# Refuse relations that a step of the statement would hide. #}
{% macro check_names(text, inputs, options) %}
    {% set steps = modules.re.findall(sqlrank.patterns().step, text) %}
    {% set others = [options.get('queries'), options.get('items'), options.get('history'), options.get('baseline')] %}
    {% for relation in inputs + others if relation is string and relation.strip('"`').lower() in steps %}
        {% set instead = 'write the relation with its schema, as schema.' ~ relation %}
        {% do sqlrank.refuse('the statement has a step called ' ~ relation ~ '; ' ~ instead) %}
    {% endfor %}
{% endmacro %}
