{# The conventions and what they mean for a statement, as sqlrank/conventions.py and statement/render.py have it. #}

{# Every convention with its value; refuses options and values that are not known, or that no statement can take. #}
{% macro conventions(options) %}
    {% set facts, settled = sqlrank.facts(), {} %}
    {% set known = facts.conventions | list + facts.options %}
    {% for name in options if name not in known %}
        {% do sqlrank.refuse('there is no option ' ~ name ~ ' (one of ' ~ known | join(', ') ~ ')') %}
    {% endfor %}
    {% for name, entry in facts.conventions.items() %}
        {% set value = entry.default if options.get(name) is none else options[name] %}
        {% if entry.choices and value not in entry.choices %}
            {% do sqlrank.refuse(name ~ '=' ~ value ~ ' is not known (one of ' ~ entry.choices | join(', ') ~ ')') %}
        {% endif %}
        {% do settled.update({name: value}) %}
    {% endfor %}
    {% set rel, top, depth = settled.rel, settled.top_relevance, settled.depth %}
    {% if top is not none and (not top is number or top - top != 0 or top <= 0) %}
        {% do sqlrank.refuse('top_relevance=' ~ top ~ ': give a number above 0') %}
    {% endif %}
    {% if not rel is number or rel - rel != 0 or (depth is not none and (depth is not integer or depth < 1)) %}
        {% do sqlrank.refuse('rel=' ~ rel ~ ', depth=' ~ depth ~ ': give a number, and a whole number of 1 or more') %}
    {% endif %}
    {% do sqlrank.refuse_if(facts.refused, dict(settled, single=sqlrank.dialect().single)) %}
    {% do return(dict(settled, rel=rel | float)) %}
{% endmacro %}

{# What the conventions mean for these inputs: which steps stand in the statement, and what they read. #}
{% macro policies(inputs, conventions, plan, grain) %}
    {% set labelled, single, facts = inputs.labelled, conventions.duplicates == 'error', sqlrank.facts() %}
    {% set pooled = conventions.judgments != 'error' or (labelled and (inputs.several or not single)) %}
    {% set pooled = pooled or 'subtopic' in inputs.needs %}
    {% set ordered = not single or conventions.ties in ['best', 'worst'] or conventions.unjudged == 'remove' %}
    {% set averaged = conventions.ties == 'average' %}
    {% set attach = pooled if labelled else ordered or plan.ranks_all or 'relevance' in inputs.needs %}
    {% set usual = single and conventions.query_set == 'judged' and conventions.score_type == 'double' %}
    {% set odd = inputs.several or inputs.segments or inputs.weighted or (labelled and (conventions.depth or ordered or averaged)) %}
    {% set plain = grain == 'query' and not attach and plan.in_one_step and usual and not odd %}
    {% set beside, spoken = plain and not labelled, sqlrank.dialect() %}
    {% set united = beside and not pooled and spoken.shuffles %}
    {% set joined = beside and not united and 'scored' in plan.steps %}
    {% set outer = beside and not joined %}
    {% set keys = ([sqlrank.ident('system')] if inputs.several else []) + ['query_id'] %}
    {% do return(dict(
        facts.fixed,
        keys=keys | join(', '),
        query_keys='query_rows.' ~ keys | join(', query_rows.'),
        row_keys='judged.query_id' if outer else 'ranked.' ~ keys | join(', ranked.'),
        plain=plain, outer=outer, united=united, joined=joined,
        rereads=not pooled and (joined or (outer and not united and plan.ideals | length > 0)),
        pooled=pooled, attach=attach, carries=attach or labelled,
        candidates='candidates' if attach else 'run_rows',
        averaged=averaged,
        direction=inputs.direction, ascending=inputs.direction == 'asc',
        empty_value={'zero': 0, 'one': 1, 'skip': none}[conventions.empty],
    )) %}
{% endmacro %}

{# The lines of the comment above a statement. #}
{% macro header(measures, conventions, inputs) %}
    {% set facts, described, lines = sqlrank.facts(), [], [] %}
    {% for name, value in conventions.items() if value is not none %}
        {% do described.append(name.replace('_', '-') ~ '=' ~ sqlrank.plain(value)) %}
    {% endfor %}
    {% set texts = ['sqlrank ' ~ facts.version ~ ': ' ~ measures | map(attribute='text') | join(', ')] %}
    {% set texts = texts + ['with ' ~ described | join(', ')] + facts.assumptions %}
    {% set beside = inputs.prepared | selectattr('lists') | map(attribute='lists.columns') | sum(start=[]) %}
    {% set texts = texts + (facts.assumed_of_lists if beside | selectattr('beside') | list else []) %}
    {% for text in texts + (facts.unread if inputs.unread else []) %}
        {% do lines.extend((text | wordwrap(147, break_on_hyphens=false, wrapstring='\n')).splitlines()) %}
    {% endfor %}
    {% do return(lines) %}
{% endmacro %}
