{# The statements that models ask for. While dbt only looks for references (`execute` is false) there is none. #}

{# One row per query: `per_query(run=ref('runs'), qrels=ref('judgments'), metrics=['ndcg@10', 'ap'])`. #}
{% macro per_query(run, qrels=none, metrics=none) %}
    {% if execute %}{% do return(sqlrank.made(run, qrels, metrics, kwargs, 'query')) %}{% endif %}
{% endmacro %}

{# One row per system, segment and metric of a whole system, such as coverage@10. #}
{% macro overall(run, qrels=none, metrics=none) %}
    {% if execute %}{% do return(sqlrank.made(run, qrels, metrics, kwargs, 'system')) %}{% endif %}
{% endmacro %}

{# One row per system, segment and metric: of a run, or of a relation with the rows that per_query gave. #}
{% macro summary(run=none, qrels=none, metrics=none, per_query=none) %}
    {% if execute and per_query is none %}
        {% do return(sqlrank.made(run, qrels, metrics, kwargs, 'query', summarised=true)) %}
    {% elif execute %}
        {% for name in kwargs if name not in ['rel', 'by', 'weight'] %}
            {% do sqlrank.refuse(name ~ ' was settled where the rows per query were made; leave it out') %}
        {% endfor %}
        {% set inputs = {'segments': sqlrank.segments(kwargs), 'weighted': true if kwargs.get('weight') else false} %}
        {% set measures = sqlrank.measures(metrics, kwargs.get('rel', 1)) %}
        {% do return(sqlrank.closed(sqlrank.means(measures, inputs, sqlrank.relation(per_query).text, ''))) %}
    {% endif %}
{% endmacro %}

{# A whole statement, with the settings of its engine; refuses relations that one of its steps would hide. #}
{% macro closed(text, relations=[]) %}
    {% set steps, settings = modules.re.findall(sqlrank.patterns().step, text), sqlrank.dialect().settings %}
    {% for relation in relations if relation is string and relation.strip('"`').lower() in steps %}
        {% do sqlrank.refuse('the statement has a step called ' ~ relation ~ '; write it as schema.' ~ relation) %}
    {% endfor %}
    {% do return(text ~ settings ~ ('\n' if settings else '')) %}
{% endmacro %}

{# The statement for measures of one grain, or of their means. #}
{% macro made(run, qrels, metrics, options, grain, summarised=false) %}
    {% set conventions, inputs = sqlrank.conventions(options), sqlrank.describe(run, qrels, options) %}
    {% set measures = sqlrank.measures(metrics, conventions.rel) %}
    {% for measure in measures %}
        {% do sqlrank.check_measure(measure, inputs, options, grain) %}
        {% set spared = conventions.empty == 'zero' and measure.metric.vanishes %}
        {% do measure.update({'counted': [] if spared else measure.metric.empty}) %}
    {% endfor %}
    {% do inputs.update({'needs': measures | map(attribute='inputs') | sum(start=[])}) %}
    {% set plan = sqlrank.plan(measures if grain == 'query' else [], conventions) %}
    {% set context = dict(dict(sqlrank.dialect(), **inputs), **dict(plan, **conventions)) %}
    {% do context.update(sqlrank.policies(inputs, conventions, plan, grain)) %}
    {% do context.update({'header': sqlrank.header(measures, conventions, inputs)}) %}
    {% set text = sqlrank.of_queries(measures, context) if grain == 'query' else sqlrank.of_systems(measures, context) %}
    {% set text = sqlrank.means(measures, inputs, 'per_query', text) if summarised else text %}
    {% do return(sqlrank.closed(text, [run, qrels] + options.values() | list)) %}
{% endmacro %}

{# The statement of metrics of queries. #}
{% macro of_queries(measures, context) %}
    {% set taken, texts = measures | map(attribute='column') | list + context.wanted | list, [] %}
    {% for segment in context.segments if segment.alias.lower() in taken %}
        {% do sqlrank.refuse('by=' ~ segment.alias ~ ': the statement has a column of that name; rename yours first') %}
    {% endfor %}
    {% set columns = sqlrank.columns_of(context.wanted, context) %}
    {% set weights = {'rows': ['group_relevant', 'group_others'], 'positives': ['group_relevant']} %}
    {% for measure in measures %}
        {% set settled, counted = measure.settled, measure.counted %}
        {% set lines = sqlrank.expression(measure, sqlrank.named(columns, measure.reads, settled)) %}
        {% set each = {'column': measure.column, 'lines': lines, 'nothing': 0, 'last': loop.last} %}
        {% do each.update({'bare': measure.metric.undefined or 'nullif(' not in lines | join}) %}
        {% do each.update({'empty': sqlrank.named(columns, counted, settled).values() | list}) %}
        {% set weighed = sqlrank.named(columns, weights.get(settled.get('weight'), []), settled) %}
        {% do texts.append(dict(each, weight=measure.weight_column, weighed=weighed.values() | list)) %}
    {% endfor %}
    {% set limits = [context.depth] if context.depth and context.unjudged != 'remove' else [] %}
    {% set limits = limits + ([] if context.deepest is none else [[context.deepest, 1] | max]) %}
    {% do context.update({'limit': limits | min if limits else none, 'columns': columns.values() | list}) %}
    {% do return(sqlrank.template_evaluate(dict(context, measures=texts))) %}
{% endmacro %}

{# The columns of some kinds, for the parameters of a measure. #}
{% macro named(columns, kinds, settled) %}
    {% set found = {} %}
    {% for kind in kinds %}{% do found.update({kind: columns[sqlrank.physical(kind, settled)]}) %}{% endfor %}
    {% do return(found) %}
{% endmacro %}

{# The expression of a measure, line by line. #}
{% macro expression(measure, variables) %}
    {% set recalls = measure.settled.get('recalls', '0').split('/') | map('float') | list %}
    {% set context = dict(dict(sqlrank.dialect(), **measure['values']), **variables) %}
    {% set text = sqlrank.metric_text(measure.metric.name, dict(context, k=measure.k, recalls=recalls)) %}
    {% do return(modules.re.sub('(?m)^\\s*\n', '', text).splitlines()) %}
{% endmacro %}

{# The statement of metrics of whole systems. #}
{% macro of_systems(measures, context) %}
    {% set variables, texts = {'scope': sqlrank.scope(context.segments), 'direction': context.direction}, [] %}
    {% for measure in measures %}
        {% do texts.append({'text': measure.text, 'lines': sqlrank.expression(measure, variables)}) %}
    {% endfor %}
    {% do context.update({'needs_doc': true, 'needs_score': 'score' in context.needs, 'measures': texts}) %}
    {% do context.update({'columns': [], 'scopes': [false, true] if context.segments else [true]}) %}
    {% do return(sqlrank.template_overall(dict(context, **variables))) %}
{% endmacro %}

{# The columns that name a system and a segment. #}
{% macro scope(segments) %}
    {% set names = [sqlrank.ident('system')] %}
    {% for segment in segments %}{% do names.append(sqlrank.ident(segment.alias)) %}{% endfor %}
    {% do return((names + (['is_total'] if segments else [])) | join(', ')) %}
{% endmacro %}

{# The statement of the means of measures, over rows that a text makes or (where it is empty) a relation holds. #}
{% macro means(measures, inputs, per_query, text) %}
    {% set described, needed, header, statement = [], [], [], [] %}
    {% for measure in measures %}
        {% set given = ['weight'] if inputs.weighted else [] %}
        {% set factors = given + [measure.weight_column] | select | list if measure.summary != 'sum' else [] %}
        {% set stderr = measure.column ~ '_stderr' if measure.summary == 'mean' else none %}
        {% do described.append(dict(measure, kind=measure.summary, factors=factors, stderr=stderr)) %}
        {% for part in ['factor', 'weight', 'mean', 'value', 'queries'] %}
            {% do described[-1].update({part: measure.column ~ '_' ~ part}) %}
        {% endfor %}
        {% do needed.extend(factors + [measure.column]) %}
    {% endfor %}
    {% for line in text.rstrip().splitlines() %}
        {% do (header if line.startswith('--') and not statement else statement).append(line) %}
    {% endfor %}
    {% set weighed = described | selectattr('factors') | list | length > 0 %}
    {% set spread, scope = described | selectattr('stderr') | list | length > 0, sqlrank.scope(inputs.segments) %}
    {% set context = dict(sqlrank.dialect(), **dict(sqlrank.facts().fixed, **inputs)) %}
    {% do context.update({'measures': described, 'header': header, 'statement': statement, 'per_query': per_query}) %}
    {% do context.update({'needed': needed | unique(case_sensitive=true) | list, 'weighed': weighed, 'spread': spread}) %}
    {% do context.update({'centred': weighed or (spread and not context.sample_deviation)}) %}
    {% do return(sqlrank.template_means(dict(context, scope=scope, within='partition by ' ~ scope))) %}
{% endmacro %}
