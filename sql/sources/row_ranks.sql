(
    select
        *,
        row_number() over (
{% if groups %}
            partition by {% for group in groups %}{{ group | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
{% endif %}
            order by cast({{ name | ident }} as bigint) asc
        ) as {{ place | ident }}
    from {{ reader }}
)
