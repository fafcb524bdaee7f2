{% from "macros/fields.sql" import field_of %}
{% from "macros/places.sql" import list_of %}
(
    select
{% for name in others %}
        {{ name | ident }},
{% endfor %}
{% for list in lists %}
{% for field in list.fields %}
{% if json %}
        {{ list.element | ident }} ->> {{ field.path | literal }} as {{ field.name | ident }},
        json_type({{ list.element | ident }} -> {{ field.path | literal }}) as {{ (field.name ~ " json type") | ident }},
{% elif field.keys %}
        {{ field_of(list.element | ident, field.keys) }} as {{ field.name | ident }},
{% else %}
        {{ list.element | ident }} as {{ field.name | ident }},
{% endif %}
{% endfor %}
{% endfor %}
        {{ place | ident }}
    from (
        select
{% for name in others %}
            {{ name | ident }},
{% endfor %}
            unnest(
                case
{% for list in lists[1:] %}
                    when coalesce(len({{ list_of(list.name, json, separator) }}), 0) <> coalesce(len({{ list_of(lists[0].name, json, separator) }}), 0)
                        then error(
                            {{ list.complaint | literal }} || coalesce(len({{ list_of(lists[0].name, json, separator) }}), 0)
                            || ' and ' || coalesce(len({{ list_of(list.name, json, separator) }}), 0) || ' values'
                        )
{% endfor %}
                    when true then {{ list_of(lists[0].name, json, separator) }}
                end
            ) as {{ lists[0].element | ident }},
{% for list in lists[1:] %}
            unnest({{ list_of(list.name, json, separator) }}) as {{ list.element | ident }},
{% endfor %}
            generate_subscripts({{ list_of(lists[0].name, json, separator) }}, 1) as {{ place | ident }}
        from {{ reader }}
    )
)
