(
    select
{% for name, path in columns %}
        variant_get(record, {{ path | literal }}, 'string') as {{ name | ident }},
        schema_of_variant(variant_get(record, {{ path | literal }})) as {{ (name ~ " json type") | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from (
        select parse_json(line) as record
        from {{ lines }}
        where trim(line) <> ''
    )
)
