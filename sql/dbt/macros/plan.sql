{# What one statement must compute for the measures asked for, as sqlrank/statement/needs.py decides it. #}

{# The variables of the templates that the measures decide. #}
{% macro plan(measures, conventions) %}
    {% set facts = sqlrank.facts() %}
    {% set wanted = sqlrank.wanted(measures, conventions) %}
    {% set names = wanted.values() | map(attribute='column') | list %}
    {% set found = [] %}
    {% set steps = [] %}
    {% for each in wanted.values() %}
        {% do found.extend(sqlrank.columns()[each.column].rows) %}
        {% do steps.append(sqlrank.columns()[each.column].step) %}
    {% endfor %}
    {% set rare = facts.ranked_kinds | select('in', found) | list %}
    {% set ideals = sqlrank.ideals(wanted) %}
    {% set kinds = ideals | map(attribute='kind') | list %}
    {% set context = {'wanted': wanted, 'ideals': ideals, 'steps': steps, 'rare': []} %}
    {% for kind in rare %}
        {% do context.rare.append({'kind': kind, 'rows': facts.ranked_kinds[kind]}) %}
    {% endfor %}
    {% do context.update(sqlrank.groups(wanted)) %}
    {% do context.update({
        'places': sqlrank.depth_of(measures, ['place']),
        'covers': sqlrank.depth_of(measures, ['cover']),
        'showing': sqlrank.depth_of(measures, ['shown']),
        'deepest': none if 'retrieved' in kinds else sqlrank.deepest(measures),
        'diagnostics': false,
        'diagnostic_relevant': none,
        'scaled': 'data' in wanted.values() | map(attribute='values') | map(attribute='max', default='') | list,
        'recursive': 'cover' in rare,
        'numbered': 'full' in kinds or 'place' in rare,
        'subtopics': 'subtopic' in rare or 'cover' in rare,
        'covering': 'cover' in rare,
        'agreeing': 'agreed' in rare,
        'stops': 'stop' in names,
        'beside': 'query_relevant' in names or 'query_nonrelevant' in names,
        'cumulating': 'cumulated' in steps,
        'needs_doc': 'subtopic' in rare or 'shown' in rare or 'agreed' in rare,
        'needs_score': 'group' in rare or 'pair' in rare or conventions.ties == 'average',
        'categories': 'alike_above' in names or 'first_of_category' in names or 'categorised' in names,
    }) %}
    {% set apart = names | select('in', facts.apart) | list %}
    {% set gathered = rare or context.cumulating or apart or kinds | reject('equalto', 'judged') | list %}
    {% do context.update({'ranks_all': context.needs_score, 'in_one_step': not gathered}) %}
    {% do return(context) %}
{% endmacro %}

{# The columns by their names, each after those it is computed from, as the templates read them. #}
{% macro columns_of(wanted, policy) %}
    {% set found = {} %}
    {% for name, each in wanted.items() %}
        {% set column = sqlrank.columns()[each.column] %}
        {% set context = dict(sqlrank.dialect(), **policy) %}
        {% do context.update(each['values']) %}
        {% if 'ideal' in each['values'] and 'gain' in each['values'] %}
            {% do context.update({'ideal_rank': sqlrank.ideal_rows(each['values']) ~ '_rank'}) %}
        {% endif %}
        {% if 'gain' in each['values'] %}
            {% do context.update({'gain': sqlrank.gain_value(each['values'].gain)}) %}
        {% endif %}
        {% for needed in column.needs %}
            {% do context.update({needed: found[sqlrank.physical(needed, each['values'])]}) %}
        {% endfor %}
        {% set text = sqlrank.column_text(each.column, context).strip() %}
        {% do found.update({name: sqlrank.described(name, each.column, column, text, policy)}) %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# One column: the condition under which a row holds it, what it holds, and its total over the query. #}
{% macro described(name, kind, column, text, policy) %}
    {% set mean = policy.averaged and kind in sqlrank.facts().averaged %}
    {% set padded = column.rows | reject('in', ['retrieved', 'query', 'cumulated']) | list | length > 0 %}
    {% set made = {'name': name, 'column': kind, 'rows': column.rows, 'step': column.step, 'mean': mean} %}
    {% do made.update({'padded': padded, 'queried': 'query' in column.rows, 'retrieved': column.step == 'scored' or (mean and not padded)}) %}
    {% if kind == 'discount' %}
        {% do return(dict(made, rank=text.splitlines()[0], place=text.splitlines()[1])) %}
    {% endif %}
    {% set named = sqlrank.ident(name) %}
    {% set sums = (['judged_queries'] if policy.plain else []) + (['ideal'] if policy.united else []) %}
    {% set when = text[5:].partition('\nthen ')[0] if text.startswith('when ') else '' %}
    {% set value = text[5:].partition('\nthen ')[2] if when else text %}
    {% set whole = 'case when ' ~ when ~ ' then ' ~ value ~ ' else 0 end' if when else value %}
    {% set apart = column.step or mean %}
    {% set axis = 'rank' if column.rows == ['retrieved'] else 'place' %}
    {% set guarded = when and not apart and (policy.outer or axis == 'place') %}
    {% set shown = named if apart or not text else value %}
    {% do made.update({
        'axis': axis,
        'when': when if when and not apart else shown ~ ' is not null',
        'found': axis ~ ' is not null' if guarded else '',
        'value': shown,
        'rank': shown,
        'place': shown,
        'text': whole.replace('\n', '\n        '),
        'total': text if column.step in sums else 'max(' ~ named ~ ')',
    }) %}
    {% do return(made) %}
{% endmacro %}

{# The columns of the observations that the measures need, each once, after those it is computed from. #}
{% macro wanted(measures, conventions) %}
    {% set wanted = {} %}
    {% for measure in measures %}
        {% for column in measure.reads + sqlrank.counted(measure, conventions) %}
            {% do sqlrank.want(wanted, column, dict(measure['values'], k=measure.k or 0)) %}
        {% endfor %}
    {% endfor %}
    {% do return(wanted) %}
{% endmacro %}

{# The totals of a query that are looked at before the expression is: none where that is 0 in an empty query. #}
{% macro counted(measure, conventions) %}
    {% set needed = conventions.empty != 'zero' or not measure.metric.vanishes %}
    {% do return(measure.metric.empty if needed else []) %}
{% endmacro %}

{% macro want(wanted, column, settled) %}
    {% for needed in sqlrank.columns()[column].needs %}
        {% do sqlrank.want(wanted, needed, settled) %}
    {% endfor %}
    {% set described = {'column': column, 'values': sqlrank.settled_values(column, settled)} %}
    {% do wanted.update({sqlrank.physical(column, settled): described}) %}
{% endmacro %}

{# The columns that are made together: the greedy ideals, and what each persistence of an agreement weighs. #}
{% macro groups(wanted) %}
    {% set groups = {'covered_novelties': [], 'persistences': []} %}
    {% for name, each in wanted.items() %}
        {% if each.column == 'ideal_novelty' %}
            {% do groups.covered_novelties.append(dict(each['values'], ideal_novelty=name)) %}
        {% elif each.column == 'agreement' %}
            {% set names = ['agreement', 'agreement_best', 'agreement_weight'] %}
            {% do groups.persistences.append(dict(each['values'], **sqlrank.physical_all(names, each['values']))) %}
        {% endif %}
    {% endfor %}
    {% do return(groups) %}
{% endmacro %}

{# The ideal rankings: what each is made of, how deep it is read, and the totals or the rows that are. #}
{% macro ideals(wanted) %}
    {% set found = {} %}
    {% for name, each in wanted.items() if each.column in ['best_dcg', 'ideal_gain'] %}
        {% set settled = each['values'] %}
        {% set rows = sqlrank.ideal_rows(settled) ~ ('_rows' if each.column == 'ideal_gain' else '') %}
        {% set made = {'rows': rows, 'kind': settled.ideal, 'gain': sqlrank.gain_value(settled.gain)} %}
        {% do made.update({'rank': sqlrank.ideal_rows(settled) ~ '_rank'}) %}
        {% do made.update({'totals': [], 'names': [], 'name': none, 'step': none, 'k': 0}) %}
        {% set ideal = found.setdefault(rows, made) %}
        {% do ideal.names.append(name) %}
        {% if each.column == 'best_dcg' %}
            {% do ideal.totals.append({'name': name, 'k': settled.k or none, 'discount': settled.discount}) %}
            {% do ideal.update({'k': sqlrank.deepest_of(ideal.totals | map(attribute='k') | list)}) %}
        {% else %}
            {% set step = sqlrank.physical('ideal_step', settled) %}
            {% do ideal.update({'name': name, 'step': step if step in wanted else none}) %}
            {% do ideal.names.extend([step] if step in wanted else []) %}
        {% endif %}
    {% endfor %}
    {% do return(found.values() | list) %}
{% endmacro %}

{# The step of an ideal ranking, which its gain and what it is made of tell apart. #}
{% macro ideal_rows(settled) %}
    {% set named = {'gain': settled.gain, 'ideal': settled.ideal} %}
    {% do return(sqlrank.physical('ideal_gain', named).replace('ideal_gain', 'ideal')) %}
{% endmacro %}

{# The largest cutoff of the measures that read columns of these kinds: 0 for none, none for no limit. #}
{% macro depth_of(measures, kinds) %}
    {% set cutoffs = [] %}
    {% for measure in measures %}
        {% set rows = [] %}
        {% for column in measure.reads %}
            {% do rows.extend(sqlrank.columns()[column].rows) %}
        {% endfor %}
        {% if rows | select('in', kinds) | list %}
            {% do cutoffs.append(measure.k) %}
        {% endif %}
    {% endfor %}
    {% do return(sqlrank.deepest_of(cutoffs)) %}
{% endmacro %}

{# The largest rank that any measure looks at. #}
{% macro deepest(measures) %}
    {% do return(sqlrank.depth_of(measures, ['retrieved', 'cumulated', 'place'])) %}
{% endmacro %}

{% macro deepest_of(cutoffs) %}
    {% do return(none if none in cutoffs else (cutoffs + [0]) | max) %}
{% endmacro %}

{# A gain as the templates read it. #}
{% macro gain_value(gain) %}
    {% set pairs = [] %}
    {% set worth = [] %}
    {% if ':' not in gain %}
        {% set kind, between, least = gain.partition('_from_') %}
        {% do return({'kind': kind, 'least': least | float if least else none, 'pairs': pairs, 'worth': worth}) %}
    {% endif %}
    {% for pair in gain.split(',') %}
        {% set relevance, value = pair.split(':') %}
        {% do pairs.append([relevance | float, value | float]) %}
        {% if value | float > 0 %}
            {% do worth.append(relevance | float) %}
        {% endif %}
    {% endfor %}
    {% do return({'kind': 'table', 'least': none, 'pairs': pairs, 'worth': worth or [none]}) %}
{% endmacro %}
