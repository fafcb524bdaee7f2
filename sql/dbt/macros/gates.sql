{# What the tests that are gates share. #}

{# A finite number that a gate is given, as SQL. #}
{% macro finite(name, given) %}
    {% set number = none if given is boolean else given | float(none) %}
    {% if number is none or number - number != 0 %}
        {% do sqlrank.refuse(name ~ '=' ~ given ~ ' is not a finite number') %}
    {% endif %}
    {% do return(sqlrank.literal(number)) %}
{% endmacro %}

{# The summary of one metric: of a run, of a model with the rows of per_query, or out of one with those of summary. #}
{% macro gated(model, qrels, metric, of, options) %}
    {% set texts = sqlrank.measures(metric, options.get('rel', 1), options.get('top_relevance')) | map(attribute='text') | list %}
    {% if of not in ['run', 'per_query', 'summary'] or texts | length > 1 %}
        {% do sqlrank.refuse('metric=' ~ metric ~ ', of=' ~ of ~ ': give one metric of a run, per_query or summary') %}
    {% elif of == 'run' %}
        {% do return(sqlrank.summary(model, qrels, texts, **options)) %}
    {% elif of == 'per_query' and qrels is none %}
        {% do return(sqlrank.summary(per_query=model, metrics=texts, **options)) %}
    {% elif qrels is not none or options | reject('in', ['rel', 'top_relevance', 'by']) | list %}
        {% do sqlrank.refuse('of=' ~ of ~ ' takes what was evaluated: leave out what was settled there') %}
    {% endif %}
    {% do return('select *\nfrom ' ~ model ~ '\nwhere metric = ' ~ sqlrank.literal(texts[0])) %}
{% endmacro %}
