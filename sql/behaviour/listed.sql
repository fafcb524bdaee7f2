{# A log with a row for each impression as one with a row for each document shown. #}
{% from "macros/places.sql" import list_of %}
(
    select
{% for name in others %}
        {{ name | ident }},
{% endfor %}
        impression_of as {{ impression | ident }},
        documents[place] as {{ document | ident }},
        place as {{ position | ident }},
        case
            when {% if clicks_are == "flags" %}lower(cast(happened[place] as varchar)) in ('1', 'true')
            {%- elif clicks_are == "places" %}list_contains(list_transform(happened, lambda click: cast(click as bigint)), place)
            {%- else %}list_contains(list_transform(happened, lambda click: cast(click as varchar)), cast(documents[place] as varchar)){% endif %} then 1
            else 0
        end as {{ clicked | ident }}
    from (
        select
{% for name in others %}
            {{ name | ident }},
{% endfor %}
            row_number() over () as impression_of,
            {{ list_of(shown, json, separator) }} as documents,
            coalesce({{ list_of(clicks, json, separator) }}, []) as happened,
            unnest(range(1, coalesce(len({{ list_of(shown, json, separator) }}), 0) + 1)) as place
        from {{ reader }}
    )
)
