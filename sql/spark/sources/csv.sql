create or replace temporary view {{ name | ident }} (
{% for column in columns %}
    {{ column | ident }} string{% if not loop.last %},{% endif +%}
{% endfor %}
) using csv options (
    path {{ path | literal }},
    header {{ header | literal }},
    enforceSchema {{ (not header) | literal }},
    sep {{ delimiter | literal }},
    escape '"',
    multiLine {{ multiline | literal }},
    columnPruning 'false',
    mode 'FAILFAST'
)
