{# The rows of all systems one below the other. #}
-- the values of each query in each system
scores as (
{% for part in parts %}
    select
        {%+ if part.system is none %}system{% else %}{{ part.system | literal }}{% endif %} as system,
{% for segment in segments %}
        nullif({{ segment | ident }}, '(no results)') as segment_{{ loop.index }},
{% endfor %}
{% if cluster %}
        nullif(nullif({{ cluster | ident }}, '(no results)'), '(none)') as cluster,
        case when {{ cluster | ident }} = '(no results)' then 0 else 1 end as retrieved,
{% endif %}
{% if crossing %}
        cast({{ crossing | ident }} as {{ text }}) as crossing,
{% endif %}
        {%+ if weighted %}weight{% else %}1.0{% endif %} as weight,
{% for column in part.columns %}
        {{ column | ident }} as value_{{ loop.index }},
{% endfor %}
        {%+ if part.day %}cast({{ part.day | ident }} as {{ text }}){% else %}''{% endif %} as day,
        query_id
    from {{ part.relation }}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

