(
    select
{% for name in names %}
        fields[{{ loop.index0 }}] as {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from (
        select split(trim(both ' \t\r' from line), '\\s+') as fields
        from {{ lines }}
        where trim(both ' \t\r' from line) <> '' and line not like '#%'
    )
)
