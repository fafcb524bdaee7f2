{# Read as if split at single blanks, which is quick; a line that is not so written ends it, and all are split anew. #}
(
    select
{% for name in names %}
        {{ name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from read_csv(
        {{ files | literal }},
        auto_detect = false,
        header = false,
        delim = ' ',
        quote = '',
        escape = '',
        columns = { {%- for name in names %}{{ name | ident }}: 'varchar'{% if not loop.last %}, {% endif %}{% endfor -%} }
    )
    where
        case
            when
{% for name in names %}
                {{ name | ident }} is null
{% if tabs %}
                or contains({{ name | ident }}, chr(9))
{% endif %}
                or
{% endfor %}
                {{ names[0] | ident }} like '#%'
                then error('fields are not split by single blanks')
            else true
        end
)
