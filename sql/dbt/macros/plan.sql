{# What one statement must compute for the measures asked for, as sqlrank/statement/column_plan.py decides it. #}

{# The variables of the templates that the measures decide: the union of what the columns that they read need. #}
{% macro plan(measures, conventions) %}
    {% set columns, facts, wanted, found = sqlrank.columns(), sqlrank.facts(), {}, [] %}
    {% set depths = {'places': [0], 'covers': [0], 'showing': [0], 'deepest': [0]} %}
    {% set plan = dict(facts.plan, wanted=wanted, steps=[], rare=[], covered_novelties=[], persistences=[]) %}
    {% for measure in measures %}
        {% set settled = measure.settled %}
        {% for depth in measure.metric.depths %}{% do depths[depth].append(measure.k) %}{% endfor %}
        {% for column in measure.reads + measure.counted %}
            {% for needed in columns[column].chain %}
                {% do wanted.setdefault(sqlrank.physical(needed, settled), {'column': needed, 'values': settled}) %}
                {% do found.extend(columns[needed].rare) %}
                {% for switch in columns[needed].switches if switch != 'scaled' or settled.max == 'data' %}
                    {% do plan.update({switch: true}) %}
                {% endfor %}
            {% endfor %}
        {% endfor %}
    {% endfor %}
    {% for name, each in wanted.items() %}
        {% set entry, made = columns[each.column], dict(each['values']) %}
        {% do plan.steps.append(entry.fixed.step) %}
        {% for other in entry.together %}{% do made.update({other: sqlrank.physical(other, made)}) %}{% endfor %}
        {% if entry.together %}{% do plan[entry.gathered_in].append(made) %}{% endif %}
    {% endfor %}
    {% for kind, rows in facts.ranked_kinds.items() if kind in found %}
        {% do plan.rare.append({'kind': kind, 'rows': rows}) %}
    {% endfor %}
    {% for name, cutoffs in depths.items() %}{% do plan.update({name: sqlrank.deepest_of(cutoffs)}) %}{% endfor %}
    {% do plan.update({'ideals': sqlrank.ideals(wanted)}) %}
    {% set kinds, averaged = plan.ideals | map(attribute='kind') | list, conventions.ties == 'average' %}
    {% do plan.update({'deepest': none if 'retrieved' in kinds else plan.deepest}) %}
    {% do plan.update({'numbered': plan.numbered or 'full' in kinds}) %}
    {% do plan.update({'needs_score': plan.needs_score or averaged, 'ranks_all': plan.ranks_all or averaged}) %}
    {% do plan.update({'positive_only': not plan.others and sqlrank.only_positive(wanted)}) %}
    {% do return(dict(plan, in_one_step=not plan.gathered and 'full' not in kinds and 'retrieved' not in kinds)) %}
{% endmacro %}

{# Whether no document counts as relevant, or has a gain, without a positive relevance. #}
{% macro only_positive(wanted) %}
    {% for each in wanted.values() %}
        {% set depends = sqlrank.columns()[each.column].depends | map('first') | list %}
        {% set worth = sqlrank.gain_value(each['values'].gain).worth if 'gain' in depends else [] %}
        {% for level in ([each['values'].rel] if 'rel' in depends else []) + worth if level is not none and level <= 0 %}
            {% do return(false) %}
        {% endfor %}
    {% endfor %}
    {% do return(true) %}
{% endmacro %}

{# The largest of some cutoffs, or none where one is unlimited. #}
{% macro deepest_of(cutoffs) %}{% do return(none if none in cutoffs else cutoffs | max) %}{% endmacro %}

{# The name under which a column stands for these parameter values. #}
{% macro physical(column, settled) %}
    {% set parts = [column] %}
    {% for name, default, prefix in sqlrank.columns()[column].depends if settled[name] != default %}
        {% do parts.append(prefix ~ sqlrank.column_part(settled[name])) %}
    {% endfor %}
    {% do return(parts | join('_')) %}
{% endmacro %}

{# The ideal rankings: what each is made of, how deep it is read, and the totals or the rows that are. #}
{% macro ideals(wanted) %}
    {% set found = {} %}
    {% for name, each in wanted.items() if each.column in ['best_dcg', 'ideal_gain'] %}
        {% set settled = each['values'] %}
        {% set summed, step = each.column == 'best_dcg', sqlrank.physical('ideal_step', settled) %}
        {% set rows = sqlrank.ideal_rows(settled) %}
        {% set made = {'kind': settled.ideal, 'gain': sqlrank.gain_value(settled.gain), 'totals': [], 'names': []} %}
        {% set made = dict(made, rows=rows ~ ('' if summed else '_rows'), rank=rows ~ '_rank') %}
        {% set made = dict(made, name=none, step=none, k=0, discount=none) %}
        {% set ideal = found.setdefault(made.rows, made) %}
        {% do ideal.names.extend([name] + ([step] if step in wanted and not summed else [])) %}
        {% if summed %}
            {% do ideal.totals.append({'name': name, 'k': settled.k or none, 'discount': settled.discount}) %}
            {% do ideal.update({'k': sqlrank.deepest_of(ideal.totals | map(attribute='k') | list)}) %}
            {% set discounts = ideal.totals | map(attribute='discount') | list %}
            {% do ideal.update({'discount': discounts[0] if discounts | length > 1 and discounts | unique | list | length == 1 else none}) %}
        {% else %}
            {% do ideal.update({'name': name, 'step': step if step in wanted else none}) %}
        {% endif %}
    {% endfor %}
    {% do return(found.values() | list) %}
{% endmacro %}

{# The step of an ideal ranking. #}
{% macro ideal_rows(settled) %}
    {% do return(sqlrank.physical('ideal_gain', settled).replace('ideal_gain', 'ideal')) %}
{% endmacro %}

{# A gain as the templates read it. #}
{% macro gain_value(gain) %}
    {% set pairs, worth = [], [] %}
    {% for pair in gain.split(',') if ':' in pair %}
        {% do pairs.append(pair.split(':') | map('float') | list) %}
        {% do worth.extend([pairs[-1][0]] if pairs[-1][1] > 0 else []) %}
    {% endfor %}
    {% set kind, between, least = gain.partition('_from_') %}
    {% set made = {'kind': 'table' if pairs else kind, 'least': least | float if least else none} %}
    {% do return(dict(made, pairs=pairs, worth=worth or [none] if pairs else [])) %}
{% endmacro %}

{# The columns by their names, each after those it is computed from, as the templates read them. #}
{% macro columns_of(wanted, policy) %}
    {% set found, columns, facts = {}, sqlrank.columns(), sqlrank.facts() %}
    {% for name, each in wanted.items() %}
        {% set settled, column, named = each['values'], columns[each.column], sqlrank.ident(name) %}
        {% set context = dict(policy, **dict(settled, gain=sqlrank.gain_value(settled.gain))) %}
        {% do context.update({'ideal_rank': sqlrank.ideal_rows(settled) ~ '_rank'}) %}
        {% for needed in column.needs %}
            {% do context.update({needed: found[sqlrank.physical(needed, settled)]}) %}
        {% endfor %}
        {% set text = sqlrank.column_text(each.column, context).strip() %}
        {% set when, then, value = text[5:].partition('\nthen ') if text.startswith('when ') else ('', '', text) %}
        {% set step, axis, padded = column.fixed.step, column.fixed.axis, column.fixed.padded %}
        {% set mean = policy.averaged and each.column in facts.averaged %}
        {% set in_place = text and not (step or mean) %}
        {% set shown = value if in_place else named %}
        {% set ranks = shown.split('\n') if each.column == 'discount' else [shown, shown] %}
        {% set guarded = when and in_place and (policy.outer or axis == 'place') %}
        {% set whole = 'case when ' ~ when ~ ' then ' ~ value ~ ' else 0 end' if when else value %}
        {% set sums = (['judged_queries'] if policy.plain and not policy.joined else []) + (['ideal'] if policy.united else []) %}
        {% set total = text if step in sums else 'max(' ~ named ~ ')' %}
        {% set made = dict(column.fixed, name=name, mean=mean, value=shown, rank=ranks[0], place=ranks[1]) %}
        {% set made = dict(made, text=whole.replace('\n', '\n        '), total=total) %}
        {% set made = dict(made, when=when if when and in_place else shown ~ ' is not null') %}
        {% set made = dict(made, retrieved=step == 'scored' or (mean and not padded)) %}
        {% do found.update({name: dict(made, found=axis ~ ' is not null' if guarded else '')}) %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}
