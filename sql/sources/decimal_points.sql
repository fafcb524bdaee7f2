(
    select
        * replace (
{% for name in names %}
            replace({{ name | ident }}, ',', '.') as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
        )
    from {{ reader }}
)
