{# The statements that models ask for. #}

{# One row per query: `per_query(run=ref('runs'), qrels=ref('judgments'), metrics=['ndcg@10', 'ap'])`. #}
{% macro per_query(run, qrels=none, metrics=none) %}
    {% do return(sqlrank.closed(sqlrank.made(run, qrels, metrics, kwargs, 'query').text)) %}
{% endmacro %}

{# One row per system, segment and metric: of a run, or of a relation with the rows that per_query gave. #}
{% macro summary(run=none, qrels=none, metrics=none, per_query=none) %}
    {% if per_query is not none %}
        {% do return(sqlrank.summary_of(per_query, metrics, kwargs)) %}
    {% endif %}
    {% set each = sqlrank.made(run, qrels, metrics, kwargs, 'query') %}
    {% set text = sqlrank.means(each.measures, each.inputs, 'per_query', each.text) %}
    {% do sqlrank.check_names(text, [run, qrels], kwargs) %}
    {% do return(sqlrank.closed(text)) %}
{% endmacro %}

{# One row per system, segment and metric of a whole system, such as coverage@10. #}
{% macro overall(run, qrels=none, metrics=none) %}
    {% do return(sqlrank.closed(sqlrank.made(run, qrels, metrics, kwargs, 'system').text)) %}
{% endmacro %}

{# A whole statement, with the settings that its engine needs to do what the standard says. #}
{% macro closed(text) %}
    {% set settings = sqlrank.dialect().settings %}
    {% do return(text ~ settings ~ ('\n' if settings else '')) %}
{% endmacro %}

{# The statement of one grain, with its measures and inputs. #}
{% macro made(run, qrels, metrics, options, grain) %}
    {% set conventions = sqlrank.conventions(options) %}
    {% set measures = sqlrank.measures(metrics, conventions.rel) %}
    {% do sqlrank.check_average(measures, conventions) %}
    {% for measure in measures if measure.metric.grain != grain %}
        {% set instead = 'overall' if grain == 'query' else 'per_query or summary' %}
        {% set what = measure.text ~ ': one value for a ' ~ measure.metric.grain %}
        {% do sqlrank.refuse(what ~ '; ask for it with sqlrank.' ~ instead) %}
    {% endfor %}
    {% set inputs = sqlrank.describe(run, qrels, options) %}
    {% do sqlrank.check_needs(measures, inputs, options) %}
    {% set context = dict(sqlrank.dialect(), **inputs) %}
    {% if grain == 'query' %}
        {% do context.update(sqlrank.of_queries(measures, inputs, conventions)) %}
        {% set text = sqlrank.template_evaluate(context) %}
    {% else %}
        {% do context.update(sqlrank.of_systems(measures, inputs, conventions)) %}
        {% set text = sqlrank.template_overall(context) %}
    {% endif %}
    {% do sqlrank.check_names(text, [run, qrels], options) %}
    {% do return({'text': text, 'measures': measures, 'inputs': inputs}) %}
{% endmacro %}

{# What the statement of metrics of queries needs besides its inputs. #}
{% macro of_queries(measures, inputs, conventions) %}
    {% set plan = sqlrank.plan(measures, conventions) %}
    {% set columns = measures | map(attribute='column') | list %}
    {% if columns | unique(case_sensitive=true) | list | length < columns | length %}
        {% do sqlrank.refuse('two metrics of this request would have the same column name; ask for them apart') %}
    {% endif %}
    {% for segment in inputs.segments if segment.alias.lower() in plan.wanted or segment.alias.lower() in columns %}
        {% do sqlrank.refuse('by=' ~ segment.alias ~ ': the statement has a column of that name; rename yours first') %}
    {% endfor %}
    {% set context = dict(plan, **conventions) %}
    {% do context.update(sqlrank.policies(inputs, conventions, measures, plan, false)) %}
    {% set texts = sqlrank.columns_of(plan.wanted, context) %}
    {% set described = [] %}
    {% for measure in measures %}
        {% do described.append(sqlrank.measure_context(measure, texts, conventions, loop.last)) %}
    {% endfor %}
    {% do context.update({
        'columns': texts.values() | list,
        'limit': sqlrank.row_limit(plan.deepest, conventions),
        'measures': described,
        'header': sqlrank.header(measures, conventions, inputs),
    }) %}
    {% do return(context) %}
{% endmacro %}

{# What steps/per_query.sql needs of a measure. #}
{% macro measure_context(measure, columns, conventions, last) %}
    {% set settled = measure['values'] %}
    {% set weights = {'rows': ['group_relevant', 'group_others'], 'positives': ['group_relevant']} %}
    {% set lines = sqlrank.expression(measure, columns, {}) %}
    {% do return({
        'column': measure.column,
        'lines': lines,
        'empty': sqlrank.named(columns, sqlrank.counted(measure, conventions), settled).values() | list,
        'bare': measure.metric.undefined is not none or 'nullif(' not in lines | join,
        'nothing': 0,
        'weight': measure.weight_column,
        'weighed': sqlrank.named(columns, weights.get(settled.get('weight'), []), settled).values() | list,
        'last': last,
    }) %}
{% endmacro %}

{# The columns of some kinds, for the parameters of a measure. #}
{% macro named(columns, kinds, settled) %}
    {% set found = {} %}
    {% for kind in kinds %}
        {% do found.update({kind: columns[sqlrank.physical(kind, settled)]}) %}
    {% endfor %}
    {% do return(found) %}
{% endmacro %}

{# The expression of a measure, line by line. #}
{% macro expression(measure, columns, variables) %}
    {% set settled = dict(measure['values'], k=measure.k or 0) %}
    {% set context = dict(sqlrank.dialect(), **measure['values']) %}
    {% do context.update(sqlrank.named(columns, measure.reads, settled)) %}
    {% do context.update({'k': measure.k}) %}
    {% if 'recalls' in context %}
        {% do context.update({'recalls': context.recalls.split('/') | map('float') | list}) %}
    {% endif %}
    {% do context.update(variables) %}
    {% set lines = [] %}
    {% for line in sqlrank.metric_text(measure.metric.name, context).splitlines() if line.strip() %}
        {% do lines.append(line) %}
    {% endfor %}
    {% do return(lines) %}
{% endmacro %}

{# What the statement of metrics of whole systems needs besides its inputs. #}
{% macro of_systems(measures, inputs, conventions) %}
    {% set plan = sqlrank.plan([], conventions) %}
    {% set needs = sqlrank.inputs_of(measures) %}
    {% set scope = [sqlrank.ident('system')] %}
    {% for segment in inputs.segments %}
        {% do scope.append(sqlrank.ident(segment.alias)) %}
    {% endfor %}
    {% set scope = scope + (['is_total'] if inputs.segments else []) %}
    {% set variables = {'scope': scope | join(', '), 'direction': inputs.direction} %}
    {% set described = [] %}
    {% for measure in measures %}
        {% do described.append({'text': measure.text, 'lines': sqlrank.expression(measure, {}, variables)}) %}
    {% endfor %}
    {% set context = dict(plan, columns=[], **conventions) %}
    {% do context.update(sqlrank.policies(inputs, conventions, [], plan, 'relevance' in needs)) %}
    {% do context.update(variables) %}
    {% do context.update({
        'needs_doc': true,
        'needs_score': 'score' in needs,
        'scopes': [false, true] if inputs.segments else [true],
        'measures': described,
        'header': sqlrank.header(measures, conventions, inputs),
    }) %}
    {% do return(context) %}
{% endmacro %}

{# The summary of a relation with the rows that per_query gave. #}
{% macro summary_of(per_query, metrics, options) %}
    {% for name in options if name not in ['rel', 'by', 'weight'] %}
        {% set instead = 'a summary of them takes rel, by and weight' %}
        {% do sqlrank.refuse(name ~ ' was settled where the rows per query were made; ' ~ instead) %}
    {% endfor %}
    {% set measures = sqlrank.measures(metrics, options.get('rel', 1.0)) %}
    {% set segments = [] %}
    {% for name in sqlrank.names_by(options) %}
        {% do segments.append({'alias': sqlrank.bare_name(name)}) %}
    {% endfor %}
    {% set inputs = {'segments': segments, 'weighted': true if options.get('weight') else false} %}
    {% do return(sqlrank.closed(sqlrank.means(measures, inputs, sqlrank.relation(per_query).text, none))) %}
{% endmacro %}

{# The statement of the means of measures, over rows that a text makes or (none) a relation holds. #}
{% macro means(measures, inputs, per_query, text) %}
    {% set described = [] %}
    {% set needed = [] %}
    {% for measure in measures if measure.summary != 'none' %}
        {% set given = ['weight'] if inputs.weighted else [] %}
        {% set factors = given + [measure.weight_column] | select | list if measure.summary != 'sum' else [] %}
        {% set each = {'text': measure.text, 'column': measure.column, 'kind': measure.summary, 'factors': factors} %}
        {% for part in ['factor', 'weight', 'mean', 'value', 'queries'] %}
            {% do each.update({part: measure.column ~ '_' ~ part}) %}
        {% endfor %}
        {% do each.update({'stderr': measure.column ~ '_stderr' if measure.summary == 'mean' else none}) %}
        {% do described.append(each) %}
        {% do needed.extend(factors + [measure.column]) %}
    {% endfor %}
    {% set scope = [sqlrank.ident('system')] %}
    {% for segment in inputs.segments %}
        {% do scope.append(sqlrank.ident(segment.alias)) %}
    {% endfor %}
    {% set scope = scope + (['is_total'] if inputs.segments else []) %}
    {% set weighed = described | selectattr('factors') | list | length > 0 %}
    {% set spread = described | selectattr('stderr') | list | length > 0 %}
    {% set header = [] %}
    {% set statement = [] %}
    {% for line in (text or '').rstrip().splitlines() %}
        {% do (header if line.startswith('--') and not statement else statement).append(line) %}
    {% endfor %}
    {% set context = dict(sqlrank.dialect(), **inputs) %}
    {% do context.update({
        'measures': described,
        'header': header,
        'statement': statement,
        'per_query': per_query,
        'named': true,
        'partition': none,
        'needed': needed | unique(case_sensitive=true) | list,
        'scope': scope | join(', '),
        'within': 'partition by ' ~ scope | join(', '),
        'weighed': weighed,
        'centred': weighed or (spread and not sqlrank.dialect().sample_deviation),
        'spread': spread,
    }) %}
    {% do return(sqlrank.template_means(context)) %}
{% endmacro %}
