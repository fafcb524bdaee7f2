copy (
{{ statement }}
) to {{ path | literal }} (
    format parquet,
    use_tmp_file false,
    kv_metadata {
{% for name, value in metadata.items() %}
        {{ name | ident }}: {{ value | literal }}{% if not loop.last %},{% endif +%}
{% endfor %}
    }
)
