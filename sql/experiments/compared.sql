{# The values of units as a comparison reads those of queries. #}
(
    select
        arm as system,
        cast(unit as varchar) as query_id,
{% for segment, name in named %}
        {{ segment | ident }} as {{ name | ident }},
{% endfor %}
{% for metric in metrics %}
        {{ (column ~ "_" ~ loop.index) | ident }} as sqlrank_value_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ units }}
    where arm = last_arm
)
