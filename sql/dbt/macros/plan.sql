{# What one statement must compute for the measures asked for, as sqlrank/statement/needs.py decides it. #}

{# The variables of the templates that the measures decide. #}
{% macro plan(measures, conventions) %}
    {% set facts = sqlrank.facts() %}
    {% set wanted = sqlrank.wanted(measures) %}
    {% set names = wanted.values() | map(attribute='column') | list %}
    {% set found = [] %}
    {% for each in wanted.values() if each.column != 'discount' %}
        {% do found.extend(sqlrank.columns()[each.column].rows) %}
    {% endfor %}
    {% set rare = facts.ranked_kinds | select('in', found) | list %}
    {% set ideals = sqlrank.ideals(measures, wanted) %}
    {% set context = {'wanted': wanted, 'ideals': ideals, 'columns': [], 'cumulations': [], 'rare': []} %}
    {% for kind in rare %}
        {% do context.rare.append({'kind': kind, 'rows': facts.ranked_kinds[kind]}) %}
    {% endfor %}
    {% for name, each in wanted.items() %}
        {% set column = sqlrank.columns()[each.column] %}
        {% set described = {'name': name, 'kind': each.column, 'rows': column.rows} %}
        {% do described.update({'value': each['values'].get('discount')}) %}
        {% do described.update(sqlrank.physical_all(column.needs, each['values'])) %}
        {% do context['cumulations' if 'cumulated' in column.rows else 'columns'].append(described) %}
    {% endfor %}
    {% do context.update(sqlrank.groups(wanted)) %}
    {% do context.update({
        'places': sqlrank.depth_of(measures, ['place']),
        'covers': sqlrank.depth_of(measures, ['cover']),
        'showing': sqlrank.depth_of(measures, ['shown']),
        'deepest': none if 'retrieved' in ideals | map(attribute='kind') else sqlrank.deepest(measures),
        'diagnostics': false,
        'diagnostic_relevant': none,
        'windowed': names | select('in', ['hits', 'misses', 'negatives', 'stop_reached', 'unjudged_above']) | list | length > 0,
        'beside': names | select('in', ['query_relevant', 'query_nonrelevant']) | list | length > 0,
        'scaled': 'data' in wanted.values() | map(attribute='values') | map(attribute='max', default='') | list,
        'recursive': 'cover' in rare,
        'numbered': 'full' in ideals | map(attribute='kind') or 'place' in rare,
        'subtopics': 'subtopic' in rare or 'cover' in rare,
        'covering': 'cover' in rare,
        'groups': 'group' in rare,
        'pairs': 'pair' in rare,
        'agreeing': 'agreed' in rare,
        'needs_doc': 'subtopic' in rare or 'shown' in rare or 'agreed' in rare,
        'needs_score': 'group' in rare or 'pair' in rare or conventions.ties == 'average',
        'categories': 'alike_above' in names or 'first_of_category' in names,
        'negatives': 'negatives' in names,
        'top_relevance': 'top_relevance' in names,
        'relstring_code': 'relstring_code' in names,
        'unjudged_above': 'unjudged_above' in names,
    }) %}
    {% do context.update({'ranks_all': context.needs_score}) %}
    {% do return(context) %}
{% endmacro %}

{# The columns of the observations that the measures need, each once, after those it is computed from. #}
{% macro wanted(measures) %}
    {% set wanted = {} %}
    {% for measure in measures %}
        {% for column in measure.metric.reads + measure.metric.empty %}
            {% do sqlrank.want(wanted, column, measure['values']) %}
        {% endfor %}
    {% endfor %}
    {% do return(wanted) %}
{% endmacro %}

{% macro want(wanted, column, settled) %}
    {% for needed in sqlrank.columns()[column].needs %}
        {% do sqlrank.want(wanted, needed, settled) %}
    {% endfor %}
    {% set described = {'column': column, 'values': sqlrank.settled_values(column, settled)} %}
    {% do wanted.update({sqlrank.physical(column, settled): described}) %}
{% endmacro %}

{# For each set of values of parameters: the values, and the names of the columns that depend on them. #}
{% macro groups(wanted) %}
    {% set groups = {
        'levels': sqlrank.grouped(wanted, ['rel']),
        'gains': sqlrank.grouped(wanted, ['gain']),
        'stops': sqlrank.grouped(wanted, ['max']),
        'scales': sqlrank.grouped(wanted, ['min', 'max']),
        'views': sqlrank.grouped(wanted, ['min', 'max', 't']),
        'novelties': sqlrank.grouped(wanted, ['alpha', 'rel']),
        'persistences': sqlrank.grouped(wanted, ['p']),
    } %}
    {% for level in groups.levels %}
        {% do level.update({'value': level.rel, 'number': loop.index}) %}
    {% endfor %}
    {% for gain in groups.gains %}
        {% do gain.update(sqlrank.gain_value(gain.of.gain)) %}
    {% endfor %}
    {% for view in groups.views %}
        {% do view.update(sqlrank.physical_all(['grade_above', 'place_grade'], view.of)) %}
    {% endfor %}
    {% do groups.update({'covered_novelties': groups.novelties | selectattr('ideal_novelty') | list}) %}
    {% do return(groups) %}
{% endmacro %}

{% macro grouped(wanted, parameters) %}
    {% set kinds = [] %}
    {% for kind, column in sqlrank.columns().items() if column.depends == parameters %}
        {% do kinds.append(kind) %}
    {% endfor %}
    {% set groups = {} %}
    {% for name, each in wanted.items() if each.column in kinds %}
        {% set key = each['values'].values() | join(' ') %}
        {% if key not in groups %}
            {% set described = dict(each['values'], of=each['values']) %}
            {% for kind in kinds %}
                {% do described.update({kind: none}) %}
            {% endfor %}
            {% do groups.update({key: described}) %}
        {% endif %}
        {% do groups[key].update({each.column: name}) %}
    {% endfor %}
    {% do return(groups.values() | list) %}
{% endmacro %}

{# The ideal rankings: what each is made of and how deep it is read. #}
{% macro ideals(measures, wanted) %}
    {% set ideals = [] %}
    {% for name, each in wanted.items() if each.column == 'ideal_gain' %}
        {% set cutoffs = [] %}
        {% for measure in measures if 'ideal' in measure.metric.reads | join(' ') %}
            {% if sqlrank.physical('ideal_gain', measure['values']) == name %}
                {% do cutoffs.append(measure.k) %}
            {% endif %}
        {% endfor %}
        {% set step = sqlrank.physical('ideal_step', each['values']) %}
        {% do ideals.append({
            'name': name,
            'rows': name.replace('ideal_gain', 'ideal'),
            'kind': each['values'].ideal,
            'gain': sqlrank.gain_value(each['values'].gain),
            'k': sqlrank.deepest_of(cutoffs),
            'step': step if step in wanted else none,
        }) %}
    {% endfor %}
    {% do return(ideals) %}
{% endmacro %}

{# The largest cutoff of the measures that read columns of these kinds: 0 for none, none for no limit. #}
{% macro depth_of(measures, kinds, besides=['discount']) %}
    {% set cutoffs = [] %}
    {% for measure in measures %}
        {% set rows = [] %}
        {% for column in measure.metric.reads if column not in besides %}
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
    {% do return(sqlrank.depth_of(measures, ['retrieved', 'cumulated', 'place'], [])) %}
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
