{# Texts such as ndcg@5,10 or ap(rel=2)@100 as measures, as sqlrank/metrics/language.py and parameters.py read them. #}

{# The measures that one text or several ask for, each once. #}
{% macro measures(texts, rel) %}
    {% set facts, found, between = sqlrank.facts(), {}, sqlrank.patterns().between %}
    {% for text in (facts.default_metrics if texts is none else [texts] if texts is string else texts) %}
        {% for part in modules.re.split(between, modules.re.sub('\\s*,\\s*', ',', text)) | map('trim') | select %}
            {% for single in facts.sets.get(part.lower(), [part]) %}
                {% for measure in sqlrank.parse_measure(single, rel | float) %}
                    {% do found.setdefault(measure.text, measure) %}
                {% endfor %}
            {% endfor %}
        {% endfor %}
    {% endfor %}
    {% if not found %}{% do sqlrank.refuse('no metric was asked for; for example ndcg@10') %}{% endif %}
    {% do return(found.values() | list) %}
{% endmacro %}

{# The measures of one name with its parameters and cutoffs. #}
{% macro parse_measure(text, rel) %}
    {% set patterns, names, measures, about = sqlrank.patterns(), sqlrank.metric_names(), [], '"' ~ text ~ '": ' %}
    {% set found = modules.re.match(patterns.text, text.lower().replace('\u03b1', 'alpha')) %}
    {% if not found %}
        {% do sqlrank.refuse(about ~ 'write name(parameter=value)@cutoff, for example ap(rel=2)@100') %}
    {% endif %}
    {% set name, numbers = found['name'], found['k'] or '' %}
    {% set suffixed = modules.re.match(patterns.suffix, name) if name not in names and not numbers else none %}
    {% set name, numbers = (suffixed['name'], suffixed['k']) if suffixed else (name, numbers) %}
    {% if name not in names %}
        {% do sqlrank.refuse(about ~ 'there is no metric "' ~ name ~ '" (one of ' ~ names | join(', ') ~ ')') %}
    {% endif %}
    {% set numbers = numbers.replace(',', ' ').split() %}
    {% set named = names[name] if numbers else names[names[name].uncut] %}
    {% set metric = sqlrank.catalogue()[named.metric] %}
    {% set usual = metric.parameters %}
    {% set usual = dict(usual, rel=rel) if usual.get('rel') or ('rel' in usual and rel != 1) else usual %}
    {% for number in numbers or [none] %}
        {% set cut = number is not none and not metric.trailing %}
        {% if cut and not modules.re.match(metric.cutoff, number) %}
            {% do sqlrank.refuse(about ~ metric.cutoff_help ~ ', not ' ~ number) %}
        {% endif %}
        {% set k = number | int if cut else metric.whole %}
        {% set pairs = modules.re.findall(patterns.pair, found['parameters'] or '') %}
        {% do pairs.extend([[metric.trailing, number]] if metric.trailing and number else []) %}
        {% set settled = dict(usual, **sqlrank.given_values(metric, named, pairs, about)) %}
        {% do sqlrank.refuse_if(metric.rules, dict(settled, k=k or 0), about) %}
        {% for part, (low, high, said) in metric.limits.items() if not low <= settled[part] <= high %}
            {% do sqlrank.refuse(about ~ part ~ ' must be ' ~ said ~ ', not ' ~ settled[part]) %}
        {% endfor %}
        {% if settled.get('min') is float and settled['max'] is float and settled['min'] >= settled['max'] %}
            {% do sqlrank.refuse(about ~ 'min must be below max') %}
        {% endif %}
        {% do measures.append(sqlrank.measure(metric, settled, k)) %}
    {% endfor %}
    {% do return(measures) %}
{% endmacro %}

{# The values that parameters set, with those that the name itself sets; none is set twice. #}
{% macro given_values(metric, named, pairs, about) %}
    {% set found, written = dict(named['values']), [] %}
    {% for name, value in pairs %}
        {% set each = sqlrank.read_parameter(metric, named.renames.get(name, name), value.strip(), about) %}
        {% for key, settled in each.items() %}
            {% if key in written or named['values'].get(key, settled) != settled %}
                {% do sqlrank.refuse(about ~ key ~ ' is given twice; give it once') %}
            {% endif %}
            {% do found.update({key: settled}) %}
            {% do written.append(key) %}
        {% endfor %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# One parameter as the values it sets: a word that it takes, a number, or several numbers in rising order. #}
{% macro read_parameter(metric, name, value, about) %}
    {% set takes = metric.takes.get(name) %}
    {% if not takes %}
        {% set known = '" (it takes ' ~ (metric.takes | join(', ') or 'none') ~ ')' %}
        {% do sqlrank.refuse(about ~ metric.name ~ ' has no parameter "' ~ name ~ known) %}
    {% elif value in takes.words %}
        {% do return(takes.words[value]) %}
    {% elif takes.number and modules.re.match(takes.number, value) %}
        {% do return({takes.sets: value | float ** takes.power}) %}
    {% elif takes.looks and modules.re.match(takes.looks, value) %}
        {% set rising = modules.re.findall(takes.rising, value) | map('float') | list %}
        {% if rising == rising | sort | unique | list %}{% do return({takes.sets: value}) %}{% endif %}
    {% endif %}
    {% do sqlrank.refuse(about ~ name ~ '=' ~ value ~ ' is not known (one of ' ~ takes.help ~ ')') %}
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
