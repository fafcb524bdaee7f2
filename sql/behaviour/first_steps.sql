{# The first steps of statements over a log of another session. #}
{% from "macros/logs.sql" import mark_of %}
-- a row for each document shown
log_rows as (
    select
{% for column, name in columns %}
        {%+ if column in marks %}{{ mark_of(name) }} as {{ column | ident }}{% else %}{{ name | ident }}{% if name != column %} as {{ column | ident }}{% endif %}{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ relation }}
{% if where %}
    where (
        {{ where }}
    )
{% endif %}
{% if day %}
    {% raw %}{% if is_incremental() %}{% endraw %}

    {% if where %}and{% else %}where{% endif %} {{ day | ident }} >= (select max({{ day | ident }}) from {% raw %}{{ this }}{% endraw %})
    {% raw %}{% endif %}{% endraw %}

{% endif %}
),

-- each document once in its impression, at its place from 1
impressions as (
    {{ impressions | indent }}
),
