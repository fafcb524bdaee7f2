{# The list of a column: as it is, or a text split at a separator. #}
{% macro list_of(name) %}
{% if separator %}
case
                when trim({{ name | ident }}) <> ''
                    then transform(split({{ name | ident }}, {{ pattern | literal }}), part -> trim(part))
            end
{%- else %}{{ name | ident }}
{%- endif %}
{% endmacro %}
{% macro size_of(name) %}coalesce(greatest(size({{ list_of(name) }}), 0), 0){% endmacro %}
(
    select
{% for name in others %}
        {{ name | ident }},
{% endfor %}
{% for list in lists %}
{% for field in list.fields %}
        element_at({{ list_of(list.name) }}, {{ place | ident }}){% for key in field.keys %}.{{ key | ident }}{% endfor %} as {{ field.name | ident }},
{% endfor %}
{% endfor %}
        {{ place | ident }}
    from (
        select
            *,
            explode(
                case
{% for list in lists[1:] %}
                    when {{ size_of(list.name) }} <> {{ size_of(lists[0].name) }}
                        then raise_error(concat(
                            {{ list.complaint | literal }}, {{ size_of(lists[0].name) }}, ' and ',
                            {{ size_of(list.name) }}, ' values'
                        ))
{% endfor %}
                    when {{ size_of(lists[0].name) }} > 0 then sequence(1, {{ size_of(lists[0].name) }})
                end
            ) as {{ place | ident }}
        from {{ reader }}
    )
)
