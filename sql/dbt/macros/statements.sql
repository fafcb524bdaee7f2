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
        {% set late = kwargs | reject('in', ['rel', 'top_relevance', 'by', 'weight']) | join(', ') %}
        {% set instead = ' was settled where the rows per query were made; leave it out' %}
        {% if late %}{% do sqlrank.refuse(late ~ instead) %}{% endif %}
        {% set inputs = {'segments': sqlrank.segments(kwargs), 'weighted': true if kwargs.get('weight') else false} %}
        {% set measures = sqlrank.measures(metrics, kwargs.get('rel', 1), kwargs.get('top_relevance')) %}
        {% set text = sqlrank.means(measures, inputs, sqlrank.relation(per_query).text, '') %}
        {% do return(text ~ sqlrank.dialect().ending) %}
    {% endif %}
{% endmacro %}

{# The statement for measures of one grain, or of their means. #}
{% macro made(run, qrels, metrics, options, grain, summarised=false) %}
    {% set options = dict({'judgments': 'max'}, **options) if sqlrank.are_positives(options) else options %}
    {% set conventions, inputs = sqlrank.conventions(options), sqlrank.describe(run, qrels, options) %}
    {% if inputs.run.where and not inputs.labelled and 'query_set' not in options %}
        {% set reason = ': the condition is on the run alone, and judged queries of which it leaves no row count as 0' %}
        {% set instead = "; say query_set='shared' to leave them out, or query_set='judged' to count them" %}
        {% do sqlrank.refuse('where=' ~ inputs.run.where ~ reason ~ instead) %}
    {% endif %}
    {% set measures = sqlrank.measures(metrics, conventions.rel, conventions.top_relevance) %}
    {% for measure in measures %}
        {% do sqlrank.check_measure(measure, inputs, options, grain) %}
        {% set spared = conventions.empty == 'zero' and measure.metric.vanishes %}
        {% do measure.update({'counted': [] if spared else measure.metric.empty}) %}
    {% endfor %}
    {% do inputs.update({'needs': measures | map(attribute='inputs') | sum(start=[])}) %}
    {% do inputs.update({'header': sqlrank.header(measures, conventions, inputs)}) %}
    {% set plan = sqlrank.plan(measures if grain == 'query' else [], conventions) %}
    {% set context = dict(dict(sqlrank.dialect(), **inputs), **dict(plan, **conventions)) %}
    {% do context.update(sqlrank.policies(inputs, conventions, plan, grain)) %}
    {% set text = sqlrank.of_queries(measures, context) if grain == 'query' else '' %}
    {% set text = sqlrank.of_systems(measures, context) if grain == 'system' else text %}
    {% set text = sqlrank.means(measures, inputs, 'per_query', text) if summarised else text %}
    {% set steps = modules.re.findall(sqlrank.patterns().step, text) %}
    {% set others = [] %}
    {% for kind in ['positives', 'queries', 'items', 'history', 'baseline'] %}{% do others.append(options.get(kind)) %}{% endfor %}
    {% for relation in [run, qrels] + others if relation is string %}
        {% set instead = 'the statement has a step called ' ~ relation ~ '; write it as schema.' ~ relation %}
        {% if relation.strip('"`').lower() in steps %}{% do sqlrank.refuse(instead) %}{% endif %}
    {% endfor %}
    {% do return(text ~ sqlrank.dialect().ending) %}
{% endmacro %}

{# The statement of metrics of queries. #}
{% macro of_queries(measures, context) %}
    {% set taken, texts = measures | map(attribute='column') | list + context.wanted | list, [] %}
    {% for segment in context.segments if segment.alias.lower() in taken %}
        {% do sqlrank.refuse('by=' ~ segment.alias ~ ': the statement has a column of that name; rename yours') %}
    {% endfor %}
    {% set columns = sqlrank.columns_of(context.wanted, context) %}
    {% set weights = {'rows': ['group_relevant', 'group_others'], 'positives': ['group_relevant']} %}
    {% for measure in measures %}
        {% set named, weighed, empty = {}, [], [] %}
        {% set kinds = weights.get(measure.settled.get('weight'), []) %}
        {% for kind in measure.reads + measure.counted + kinds %}
            {% do named.update({kind: columns[sqlrank.physical(kind, measure.settled)]}) %}
        {% endfor %}
        {% for kind in kinds %}{% do weighed.append(named[kind]) %}{% endfor %}
        {% for kind in measure.counted %}{% do empty.append(named[kind]) %}{% endfor %}
        {% set lines = sqlrank.expression(measure, named) %}
        {% set bare = measure.metric.undefined or 'nullif(' not in lines | join %}
        {% set each = {'column': measure.column, 'lines': lines, 'nothing': 0, 'last': loop.last, 'bare': bare} %}
        {% do texts.append(dict(each, empty=empty, weight=measure.weight_column, weighed=weighed)) %}
    {% endfor %}
    {% set limits = [context.depth] if context.depth and context.unjudged != 'remove' else [] %}
    {% set limits = limits + ([] if context.deepest is none else [[context.deepest, 1] | max]) %}
    {% do context.update({'limit': limits | min if limits else none, 'columns': columns.values() | list}) %}
    {% do return(sqlrank.template_evaluate(dict(context, measures=texts))) %}
{% endmacro %}

{# The expression of a measure, line by line. #}
{% macro expression(measure, variables) %}
    {% set recalls = measure.settled.get('recalls', '0').split('/') | map('float') | list %}
    {% set context = dict(dict(sqlrank.dialect(), **measure['values']), **variables) %}
    {% set text = sqlrank.metric_text(measure.metric.name, dict(context, k=measure.k, recalls=recalls)) %}
    {% do return(modules.re.sub('(?m)^\\s*\n', '', text).splitlines()) %}
{% endmacro %}

{# The lines of a statement; a text or a name with line breaks stays in one of them. #}
{% macro lines_of(text) %}
    {% set lines = [''] %}
    {% for part in modules.re.split('(?s)(' ~ sqlrank.dialect().undivided ~ '|\n)', text) %}
        {% do lines.append('' if part == '\n' else lines.pop() ~ part) %}
    {% endfor %}
    {% do return(lines) %}
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
    {% set described, needed, statement = [], [], sqlrank.lines_of(text.rstrip()) if text else [] %}
    {% set comment = inputs.get('header', []) | length %}
    {% for measure in measures %}
        {% set column, kind, own = measure.column, measure.summary, [measure.weight_column] | select | list %}
        {% set factors = [] if kind == 'sum' else (['weight'] if inputs.weighted else []) + own %}
        {% set each = {'text': measure.text, 'column': column, 'kind': kind, 'factors': factors} %}
        {% for part in ['factor', 'weight', 'mean', 'value', 'queries'] %}
            {% do each.update({part: column ~ '_' ~ part}) %}
        {% endfor %}
        {% do described.append(dict(each, stderr=column ~ '_stderr' if kind == 'mean' else none)) %}
        {% do needed.extend(factors + [column]) %}
    {% endfor %}
    {% set weighed, scope = described | selectattr('factors') | list | length > 0, sqlrank.scope(inputs.segments) %}
    {% set spread = described | selectattr('stderr') | list | length > 0 %}
    {% set context = dict(sqlrank.dialect(), **dict(sqlrank.facts().fixed, **inputs)) %}
    {% do context.update({'measures': described, 'header': statement[:comment], 'statement': statement[comment:]}) %}
    {% do context.update({'needed': needed | unique(true) | list, 'weighed': weighed, 'spread': spread}) %}
    {% do context.update({'centred': weighed or (spread and not context.sample_deviation), 'per_query': per_query}) %}
    {% do return(sqlrank.template_means(dict(context, scope=scope, within='partition by ' ~ scope))) %}
{% endmacro %}
