create or replace temp table {{ name | ident }} as
select
{% for column, kind in columns %}
    unnest(?::{{ kind }}[]) as {{ column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
