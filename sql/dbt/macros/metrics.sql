{# Texts such as ndcg@5,10 or ap(rel=2)@100 as measures, as sqlrank/metrics/language.py and parameters.py read them. #}

{# The measures that one text or several ask for, each once. #}
{% macro measures(texts, rel) %}
    {% set facts = sqlrank.facts() %}
    {% set catalogue = sqlrank.catalogue() %}
    {% set found = {} %}
    {% set texts = facts.default_metrics if texts is none else [texts] if texts is string else texts %}
    {% for text in texts %}
        {% for part in sqlrank.split_texts(text) %}
            {% for single in facts.sets.get(part.lower(), [part]) %}
                {% for measure in sqlrank.parse_measure(single, catalogue, rel) %}
                    {% do found.setdefault(measure.text, measure) %}
                {% endfor %}
            {% endfor %}
        {% endfor %}
    {% endfor %}
    {% if not found %}
        {% do sqlrank.refuse('no metric was asked for; for example ndcg@10') %}
    {% endif %}
    {% do return(found.values() | list) %}
{% endmacro %}

{# Split at the commas outside brackets; a bare number continues the cutoffs before it. #}
{% macro split_texts(text) %}
    {% set joined = [] %}
    {% for part in modules.re.split(',(?![^(]*\\))', text) if part.strip() %}
        {% if joined and modules.re.match(sqlrank.patterns().continued, part.strip()) %}
            {% do joined.append(joined.pop() ~ ',' ~ part.strip()) %}
        {% else %}
            {% do joined.append(part.strip()) %}
        {% endif %}
    {% endfor %}
    {% do return(joined) %}
{% endmacro %}

{# What a text holds: the name of a metric or an alias of it, numbers behind it, parameters and a level. #}
{% macro asked(text) %}
    {% set plain = text.strip().lower().replace('\u03b1', 'alpha') %}
    {% set found = modules.re.match(sqlrank.patterns().text, plain) %}
    {% if modules.re.match(sqlrank.patterns().foreign, plain) %}
        {% do sqlrank.refuse_metric(text, 'this is how another tool writes it; write name(parameter=value)@cutoff') %}
    {% elif not found %}
        {% do sqlrank.refuse_metric(text, 'write name(parameter=value)@cutoff, for example ap(rel=2)@100') %}
    {% endif %}
    {% set names = sqlrank.metric_names() %}
    {% set name = found['name'] %}
    {% set suffix = modules.re.match(sqlrank.patterns().suffix, name) %}
    {% set suffixed = found['k'] is none and suffix and name not in names and suffix['name'] in names %}
    {% set name = suffix['name'] if suffixed else name %}
    {% if name not in names %}
        {% set known = sqlrank.catalogue() | join(', ') %}
        {% do sqlrank.refuse_metric(text, 'there is no metric "' ~ name ~ '" (one of ' ~ known ~ ')') %}
    {% endif %}
    {% set numbers = (suffix['k'] if suffixed else found['k'] or '').replace(',', ' ').split() %}
    {% set metric = sqlrank.catalogue()[names[name].metric] %}
    {% set uncut = metric.uncut.get(name) if not numbers else none %}
    {% do return({
        'alias': uncut or name,
        'metric': uncut or metric.name,
        'preset': {} if uncut else names[name]['values'],
        'numbers': numbers,
        'parameters': found['parameters'] or '',
        'level': found['level'],
    }) %}
{% endmacro %}

{# The measures of one name with its parameters and cutoffs. #}
{% macro parse_measure(text, catalogue, rel) %}
    {% set asked = sqlrank.asked(text) %}
    {% set metric = catalogue[asked.metric] %}
    {% if metric.summary == 'none' %}
        {% do sqlrank.refuse_metric(text, metric.name ~ ' is a text, which only sqlrank eval --format trec shows') %}
    {% endif %}
    {% set settled = dict(metric.parameters) %}
    {% if settled.get('rel') or ('rel' in settled and rel | float != 1.0) %}
        {% do settled.update({'rel': rel | float}) %}
    {% endif %}
    {% set said = dict(asked.preset) %}
    {% do said.update(sqlrank.level_values(metric, asked.level, dict(settled, **asked.preset), text)) %}
    {% set pairs = sqlrank.parameter_texts(asked.parameters, text) %}
    {% do settled.update(sqlrank.given_values(metric, asked.alias, pairs, said, text)) %}
    {% set measures = [] %}
    {% if metric.trailing and asked.numbers %}
        {% for number in asked.numbers %}
            {% set numbered = pairs + [[metric.trailing, number]] %}
            {% set each = dict(settled, **sqlrank.given_values(metric, asked.alias, numbered, said, text)) %}
            {% do sqlrank.check_values(metric, each, text) %}
            {% do measures.append(sqlrank.measure(metric, each, none)) %}
        {% endfor %}
    {% else %}
        {% set cutoffs = sqlrank.cutoffs(metric, asked.numbers, settled, text) %}
        {% do sqlrank.check_values(metric, settled, text) %}
        {% for k in cutoffs %}
            {% do measures.append(sqlrank.measure(metric, settled, k)) %}
        {% endfor %}
    {% endif %}
    {% do return(measures) %}
{% endmacro %}

{# A metric with its parameters and cutoff settled, and what it is called. #}
{% macro measure(metric, settled, k) %}
    {% set inside = [] %}
    {% set parts = [metric.name] %}
    {% for name, value in settled.items() if value != metric.parameters[name] %}
        {% do inside.append(name ~ '=' ~ sqlrank.plain(value)) %}
        {% do parts.append(name ~ ('' if value is float else '_') ~ sqlrank.column_part(value)) %}
    {% endfor %}
    {% set column = (parts + (['at_' ~ k] if k else [])) | join('_') %}
    {% set reads = [] %}
    {% for name in metric.reads if dict(settled, **metric.reads_with.get(name, {})) == settled %}
        {% do reads.append(name) %}
    {% endfor %}
    {% do return({
        'reads': reads,
        'metric': metric,
        'values': settled,
        'k': k,
        'text': metric.name ~ ('(' ~ inside | join(', ') ~ ')' if inside else '') ~ ('@' ~ k if k else ''),
        'column': column,
        'summary': 'geometric' if settled.get('mean') == 'geometric' else metric.summary,
        'weight_column': column ~ '_per_query' if settled.get('weight', 'none') != 'none' else none,
    }) %}
{% endmacro %}

{# Names and values between the brackets; the pairs of a gain table hold commas of their own. #}
{% macro parameter_texts(inside, text) %}
    {% set pairs = [] %}
    {% for part in inside.split(',') if part.strip() %}
        {% if '=' in part %}
            {% set name, equals, value = part.partition('=') %}
            {% do pairs.append([name.strip(), value.strip().strip('\'"')]) %}
        {% elif pairs and ':' in part %}
            {% set pair = pairs.pop() %}
            {% do pairs.append([pair[0], pair[1] ~ ',' ~ part.strip()]) %}
        {% else %}
            {% do sqlrank.refuse_metric(text, 'write parameters as name=value, not "' ~ part.strip() ~ '"') %}
        {% endif %}
    {% endfor %}
    {% do return(pairs) %}
{% endmacro %}

{# The values that parameters set, with those that the name or the level said before; none is set twice. #}
{% macro given_values(metric, alias, pairs, said, text) %}
    {% set found = dict(said) %}
    {% set written = {} %}
    {% for name, value in pairs %}
        {% set renamed = metric.renames.get(alias, {}).get(name, name) %}
        {% for key, settled in sqlrank.read_parameter(metric, renamed, value, text).items() %}
            {% if key in written or (key in said and said[key] != settled) %}
                {% do sqlrank.refuse_metric(text, key ~ ' is given twice; give it once') %}
            {% endif %}
            {% do found.update({key: settled}) %}
            {% do written.update({key: name}) %}
        {% endfor %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# What the -l2 of ranx sets: judgments below the level count for nothing. #}
{% macro level_values(metric, level, settled, text) %}
    {% if not level or ('gain' in settled and level == '1') %}
        {% do return({}) %}
    {% elif 'gain' in settled %}
        {% do return({'gain': sqlrank.gain_from(settled.gain, level | float, text)}) %}
    {% elif 'rel' not in settled %}
        {% do sqlrank.refuse_metric(text, metric.name ~ ' has no relevance level') %}
    {% endif %}
    {% do return({'rel': level | float}) %}
{% endmacro %}

{# A gain of which relevances below a number above 0 are worth nothing. #}
{% macro gain_from(word, least, text) %}
    {% if least <= 0 or ':' in word or '_from_' in word %}
        {% do sqlrank.refuse_metric(text, 'a gain from a level on is linear, exp2 or binary, from a level above 0') %}
    {% endif %}
    {% do return(word ~ '_from_' ~ sqlrank.plain(least)) %}
{% endmacro %}

{# One parameter as the values it sets. #}
{% macro read_parameter(metric, name, value, text) %}
    {% if value in metric.spellings.get(name, {}) %}
        {% do return(metric.spellings[name][value]) %}
    {% endif %}
    {% set root = metric.squares.get(name) %}
    {% if name == 'judged_only' %}
        {% do sqlrank.refuse_metric(text, 'judged_only holds for all metrics of a call: choose unjudged="remove"') %}
    {% elif name not in metric.parameters and not root %}
        {% set known = metric.parameters | join(', ') or 'none' %}
        {% do sqlrank.refuse_metric(text, metric.name ~ ' has no parameter "' ~ name ~ '" (it takes ' ~ known ~ ')') %}
    {% elif name == 'gain' and modules.re.match(sqlrank.patterns().table, value) %}
        {% do return({name: sqlrank.canonical_table(value, text)}) %}
    {% elif name == 'gain' and modules.re.match(sqlrank.patterns().gain_from, value) %}
        {% set word, between, least = value.partition('_from_') %}
        {% do return({name: sqlrank.gain_from(word, least | float, text)}) %}
    {% elif name == 'recalls' %}
        {% do return({name: sqlrank.canonical_recalls(value, text)}) %}
    {% endif %}
    {% set choices = metric.choices.get(name, []) %}
    {% if value in choices and value != 'number' %}
        {% do return({name: value}) %}
    {% elif choices and 'number' not in choices %}
        {% set known = choices | join(', ') ~ (' or a table such as 0:0,1:1,2:4' if name == 'gain' else '') %}
        {% do sqlrank.refuse_metric(text, name ~ '=' ~ value ~ ' is not known (one of ' ~ known ~ ')') %}
    {% endif %}
    {% set number = value | float('nan') | float %}
    {% if number - number != 0 or (root and number <= 0) %}
        {% set least = ' above 0' if root else '' %}
        {% do sqlrank.refuse_metric(text, name ~ ' must be a number' ~ least ~ ', not "' ~ value ~ '"') %}
    {% endif %}
    {% do return({root: number ** 0.5} if root else {name: number}) %}
{% endmacro %}

{# A gain table in order of relevance, each relevance once. #}
{% macro canonical_table(value, text) %}
    {% set table = {} %}
    {% set pairs = value.split(',') %}
    {% for pair in pairs %}
        {% set relevance, gain = pair.split(':') %}
        {% do table.update({relevance | float('nan') | float: gain | float('nan') | float}) %}
    {% endfor %}
    {% set canonical = [] %}
    {% for relevance in table | sort %}
        {% if not (table[relevance] >= 0 and relevance == relevance) or table | length < pairs | length %}
            {% do sqlrank.refuse_metric(text, 'a gain table names each relevance once, with gains of 0 or more') %}
        {% endif %}
        {% do canonical.append(sqlrank.plain(relevance) ~ ':' ~ sqlrank.plain(table[relevance])) %}
    {% endfor %}
    {% do return(canonical | join(',')) %}
{% endmacro %}

{# Some recalls in rising order. #}
{% macro canonical_recalls(value, text) %}
    {% set canonical = [] %}
    {% set before = [-1] %}
    {% for part in value.split('/') %}
        {% set recall = part | float(-1) | float %}
        {% if not before[-1] < recall <= 1 or recall < 0 %}
            {% do sqlrank.refuse_metric(text, 'recalls are numbers from 0 to 1 in rising order, as 0.25/0.5') %}
        {% endif %}
        {% do before.append(recall) %}
        {% do canonical.append(sqlrank.plain(recall)) %}
    {% endfor %}
    {% do return(canonical | join('/')) %}
{% endmacro %}

{# The cutoffs of a metric. #}
{% macro cutoffs(metric, numbers, settled, text) %}
    {% set whole = [] %}
    {% for number in numbers %}
        {% if not number.isdigit() or number | int < 1 %}
            {% do sqlrank.refuse_metric(text, 'a cutoff is a whole number, 1 or more, not ' ~ number) %}
        {% endif %}
        {% do whole.append(number | int) %}
    {% endfor %}
    {% if not numbers and metric.cutoff == 'required' %}
        {% do sqlrank.refuse_metric(text, metric.name ~ ' needs a cutoff, for example ' ~ metric.name ~ '@10') %}
    {% elif numbers and metric.cutoff == 'none' %}
        {% do sqlrank.refuse_metric(text, metric.name ~ ' looks at the whole ranking and takes no cutoff') %}
    {% elif not numbers and settled.get('ideal') == 'full' %}
        {% do sqlrank.refuse_metric(text, 'ideal=full needs a cutoff, as ' ~ metric.name ~ '(ideal=full)@10') %}
    {% elif not numbers and settled.get('norm') == 'k' and metric.cutoff == 'optional' %}
        {% do sqlrank.refuse_metric(text, 'norm=k needs a cutoff, as ' ~ metric.name ~ '(norm=k)@10') %}
    {% endif %}
    {% do return(whole or [metric.whole]) %}
{% endmacro %}

{# Refuse parameters that are missing, out of bounds, or make no sense together. #}
{% macro check_values(metric, settled, text) %}
    {% for name in metric.required if settled[name] == 'required' %}
        {% set example = metric.name ~ '(' ~ name ~ '=0.5)' %}
        {% do sqlrank.refuse_metric(text, metric.name ~ ' needs the parameter ' ~ name ~ ', for example ' ~ example) %}
    {% endfor %}
    {% for name, bounds in metric.bounds.items() if settled[name] is float %}
        {% if settled[name] <= bounds[0] or (bounds[1:] and settled[name] >= bounds[1]) %}
            {% set wanted = ('between ' if bounds[1:] else 'above ') ~ bounds | join(' and ') %}
            {% do sqlrank.refuse_metric(text, name ~ ' must be ' ~ wanted ~ ', not ' ~ settled[name]) %}
        {% endif %}
    {% endfor %}
    {% for name, within in metric.within.items() if settled[name] is float %}
        {% if settled[name] < within[0] or settled[name] > within[1] %}
            {% set wanted = 'from ' ~ within | join(' to ') %}
            {% do sqlrank.refuse_metric(text, name ~ ' must be ' ~ wanted ~ ', not ' ~ settled[name]) %}
        {% endif %}
    {% endfor %}
    {% if settled.get('min') is float and settled.get('max') is float and settled['min'] >= settled['max'] %}
        {% do sqlrank.refuse_metric(text, 'min must be below max') %}
    {% elif settled.get('tn') and not settled.get('documents') %}
        {% do sqlrank.refuse_metric(text, 'tn needs the parameter documents: say how many documents there are') %}
    {% endif %}
{% endmacro %}

{# Stop with what is wrong in the text of a metric. #}
{% macro refuse_metric(text, reason) %}
    {% do sqlrank.refuse('"' ~ text ~ '": ' ~ reason) %}
{% endmacro %}
