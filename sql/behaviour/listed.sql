{# A log with a row for each impression as one with a row for each document shown. #}
{% from "macros/places.sql" import texts_of %}
(
    select
{% for name in others %}
        {{ name | ident }},
{% endfor %}
        impression_of as {{ impression | ident }},
        documents[place] as {{ document | ident }},
{% if json %}
        kinds[place] as {{ (document ~ " json type") | ident }},
{% endif %}
        place as {{ position | ident }},
        case
            when {% if clicks_are == "flags" %}lower(happened[place]) in ('1', '1.0', 'true', 't')
            {%- elif clicks_are == "places" %}list_contains(list_transform(happened, lambda click: cast(click as bigint)), place)
            {%- else %}list_contains(happened, documents[place]){% endif %} then 1
            else 0
        end as {{ clicked | ident }}
{%- for role in beside %}
{% if role in rankings %}
,
        nullif(list_position({{ role | ident }}, documents[place]), 0) as {{ names[rankings[role][0]] | ident }},
        coalesce(len({{ role | ident }}), 0) as {{ names[rankings[role][1]] | ident }}
{%- else %}
,
        nullif({{ role | ident }}[place], '') as {{ names[role] | ident }}
{%- endif %}
{% endfor +%}
    from (
        select
{% for name in others %}
            {{ name | ident }},
{% endfor %}
            row_number() over () as impression_of,
            {{ texts_of(shown, json, separator) }} as documents,
            coalesce({{ texts_of(clicks, json, separator) }}, []) as happened,
{% if json %}
            list_transform(from_json({{ shown | ident }}, '["json"]'), lambda value: json_type(value)) as kinds,
{% endif %}
{% for role, column in beside.items() %}
            {{ texts_of(column, json, separator) }} as {{ role | ident }},
{% endfor %}
            unnest(range(1, coalesce(len({{ texts_of(shown, json, separator) }}), 0) + 1)) as place
        from {{ reader }}
    )
)
