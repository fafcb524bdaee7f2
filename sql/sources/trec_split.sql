(
    select
{% for name in names %}
        fields[{{ loop.index }}] as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from (
        select string_split_regex(trim(line, E' \t\r'), '\s+') as fields
        from {{ lines }}
        where trim(line, E' \t\r') <> '' and line not like '#%'
    )
)
