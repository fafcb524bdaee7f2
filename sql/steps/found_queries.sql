-- the queries that have results
found_queries as (
    select
{% for column in run.carried %}
        max({{ column.alias | ident }}) as {{ column.alias | ident }},
{% endfor %}
        {{ keys }},
        count({% if copies == "error" %}*{% else %}distinct doc_id{% endif %}) as returned
    from run_rows
    group by {{ keys }}
),
