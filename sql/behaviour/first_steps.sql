{# The first steps of statements over a log of another session. #}
-- a row for each document shown
log_rows as (
    select
{% for column, name in columns %}
        {{ name | ident }}{% if name != column %} as {{ column | ident }}{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ relation }}
),

-- each document once in its impression, at its place from 1
impressions as (
    {{ impressions | indent }}
),
