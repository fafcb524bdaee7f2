{% from "macros/values.sql" import opaque %}
{# The rows of a data set of Arrow, which is asked nothing of these columns: DuckDB would hand it comparisons, and files
   and fragments are left out by statistics that are not about every value. #}
(
    select
{% for name in columns %}
        {%+ if name in plain %}{{ name | ident }}{% else %}{{ opaque(name | ident) }} as {{ name | ident }}{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ reader }}
)
