-- the queries that have results
found_queries as (
{% if rankings %}
    select *
    from {{ rankings | ident }}
{% else %}
    select
{% if several %}
        system,
{% endif %}
{% for segment in segments if segment.found %}
        max({{ segment.alias | ident }}) as {{ segment.alias | ident }},
{% endfor %}
{% if run.weight %}
        max(weight) as weight,
{% endif %}
        query_id,
        count({% if duplicates == "error" %}*{% else %}distinct doc_id{% endif %}) as returned
    from run_rows
    group by {{ keys }}
{% endif %}
),
