{# Texts such as ndcg@5,10 or ap(rel=2)@100 as measures, as sqlrank/metrics/language.py and parameters.py read them. #}

{# The measures that one text or several ask for, each once. #}
{% macro measures(texts, rel, top=none) %}
    {% set facts, found, between = sqlrank.facts(), {}, sqlrank.patterns().between %}
    {% for text in (facts.default_metrics if texts is none else [texts] if texts is string else texts) %}
        {% for part in modules.re.split(between, modules.re.sub('\\s*,\\s*', ',', text)) | map('trim') | select %}
            {% for single in facts.sets.get(part.lower(), [part]) %}
                {% for measure in sqlrank.parse_measure(single, rel | float, top) %}
                    {% do found.setdefault(measure.text, measure) %}
                {% endfor %}
            {% endfor %}
        {% endfor %}
    {% endfor %}
    {% if not found %}{% do sqlrank.refuse('no metric was asked for; for example ndcg@10') %}{% endif %}
    {% do return(found.values() | list) %}
{% endmacro %}

{# The measures of one name with its parameters and cutoffs. #}
{% macro parse_measure(text, rel, top=none) %}
    {% set patterns, names, measures, about = sqlrank.patterns(), sqlrank.metric_names(), [], '"' ~ text ~ '": ' %}
    {% set found = modules.re.match(patterns.text, text.lower().replace('\u03b1', 'alpha')) %}
    {% set example = 'write name(parameter=value)@cutoff, for example ap(rel=2)@100' %}
    {% if not found %}{% do sqlrank.refuse(about ~ example) %}{% endif %}
    {% set name, numbers = found['name'], found['k'] or '' %}
    {% set suffixed = modules.re.match(patterns.suffix, name) if name not in names and not numbers else none %}
    {% set name, numbers = (suffixed['name'], suffixed['k']) if suffixed else (name, numbers) %}
    {% set known = '" (one of ' ~ names | join(', ') ~ ')' %}
    {% if name not in names %}{% do sqlrank.refuse(about ~ 'there is no metric "' ~ name ~ known) %}{% endif %}
    {% set numbers = numbers.replace(',', ' ').split() %}
    {% set named = names[name] if numbers else names[names[name].uncut] %}
    {% set metric = sqlrank.catalogue()[named.metric] %}
    {% set usual = metric.parameters %}
    {% set usual = dict(usual, rel=rel) if usual.get('rel') or ('rel' in usual and rel != 1) else usual %}
    {% for number in numbers or [none] %}
        {% set cut = number is not none and not metric.trailing %}
        {% set wrong = cut and not modules.re.match(metric.cutoff, number) %}
        {% if wrong %}{% do sqlrank.refuse(about ~ metric.cutoff_help ~ ', not ' ~ number) %}{% endif %}
        {% set k = number | int if cut else metric.whole %}
        {% set pairs = modules.re.findall(patterns.pair, found['parameters'] or '') %}
        {% do pairs.extend([[metric.trailing, number]] if metric.trailing and number else []) %}
        {% set settled, written, preset = dict(usual, **named['values']), [], named['values'] %}
        {% for part, value in pairs %}
            {% set part = named.renames.get(part, part) %}
            {% do sqlrank.settle(settled, written, metric, preset, part, value.strip(), about) %}
        {% endfor %}
        {% if top is not none and settled.get('max') == 'data' %}{% do settled.update({'max': top | float}) %}{% endif %}
        {% do sqlrank.refuse_if(metric.rules, dict(settled, k=k or 0), about) %}
        {% for part, (low, high, said) in metric.limits.items() if not low <= settled[part] <= high %}
            {% do sqlrank.refuse(about ~ part ~ ' must be ' ~ said ~ ', not ' ~ settled[part]) %}
        {% endfor %}
        {% set worst, best = settled.get('min', 0), settled.get('max') %}
        {% if best is number and worst >= best %}{% do sqlrank.refuse(about ~ 'min must be below max') %}{% endif %}
        {% do measures.append(sqlrank.measure(metric, settled, k)) %}
    {% endfor %}
    {% do return(measures) %}
{% endmacro %}

{# Settle one parameter: a word that it takes, a number, or several numbers in rising order; none is set twice. #}
{% macro settle(settled, written, metric, preset, name, value, about) %}
    {% set takes, known = metric.takes.get(name), '" (it takes ' ~ (metric.takes | join(', ') or 'none') ~ ')' %}
    {% if not takes %}{% do sqlrank.refuse(about ~ 'no parameter "' ~ name ~ known) %}{% endif %}
    {% set sets = takes.words.get(value) %}
    {% set numbers = modules.re.findall(takes.rising, value) | map('float') | list if takes.looks else [] %}
    {% set rising = takes.looks and numbers == numbers | unique | sort %}
    {% if sets is none and takes.number and modules.re.match(takes.number, value) %}
        {% set sets = {takes.sets: value | float ** takes.power} %}
    {% elif sets is none and rising and modules.re.match(takes.looks, value) %}
        {% set sets = {takes.sets: value} %}
    {% elif sets is none %}
        {% do sqlrank.refuse(about ~ name ~ '=' ~ value ~ ' is not known (one of ' ~ takes.help ~ ')') %}
    {% endif %}
    {% for key in sets if key in written or preset.get(key, sets[key]) != sets[key] %}
        {% do sqlrank.refuse(about ~ key ~ ' is given twice; give it once') %}
    {% endfor %}
    {% do settled.update(sets) %}
    {% do written.extend(sets) %}
{% endmacro %}

{# A metric with its parameters and cutoff settled, what it is called, and the columns and inputs that it reads. #}
{% macro measure(metric, values, k) %}
    {% set inside, parts, reads, inputs = [], [metric.name], [], [] %}
    {% for name, value in values.items() if value != metric.parameters[name] %}
        {% do inside.append(name ~ '=' ~ sqlrank.plain(value)) %}
        {% do parts.append(name ~ ('' if value is float else '_') ~ sqlrank.column_part(value)) %}
    {% endfor %}
    {% for name in metric.reads if dict(values, **metric.reads_with.get(name, {})) == values %}
        {% do reads.append(name) %}
    {% endfor %}
    {% for name, spared in metric.inputs.items() if spared is none or dict(values, **spared) != values %}
        {% do inputs.append(name) %}
    {% endfor %}
    {% set column = (parts + (['at_' ~ k] if k else [])) | join('_') %}
    {% set text = metric.name ~ ('(' ~ inside | join(', ') ~ ')' if inside else '') ~ ('@' ~ k if k else '') %}
    {% set settled = dict(sqlrank.facts().defaults, **dict(values, k=k or 0)) %}
    {% set made = {'metric': metric, 'values': values, 'settled': settled, 'k': k, 'text': text, 'column': column} %}
    {% set summary = 'geometric' if values.get('mean') == 'geometric' else metric.summary %}
    {% set weight = column ~ '_per_query' if values.get('weight', 'none') != 'none' else none %}
    {% do return(dict(made, reads=reads, inputs=inputs, summary=summary, weight_column=weight)) %}
{% endmacro %}
