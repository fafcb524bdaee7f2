-- one row for each query
per_query as (
    select
        {%+ if several %}system{% else %}{{ system | literal }} as system{% endif %},
        query_id,
{% for segment in segments %}
        max({{ segment.alias | ident }}) as {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        max(weight) as weight,
{% endif %}
{% if diagnostics %}
        max(retrieved) as sqlrank_retrieved,
        sum(judged) as sqlrank_judged,
        max({{ diagnostic_relevant | ident }}) as sqlrank_relevant,
        sum(tied) as sqlrank_tied,
{% endif %}
{% for measure in measures %}
{% if measure.weight %}
        {%+ for name in measure.weighed %}sum({{ name | ident }}){% if not loop.last %} + {% endif %}{% endfor %} as {{ measure.weight | ident }},
{% endif %}
{% if measure.undefined %}
{% for line in measure.lines %}
        {{ line }}{% if loop.last %} as {{ measure.column | ident }}{% endif %}
{%- if loop.last and not measure.last %},{% endif %}

{% endfor %}
{% elif measure.empty %}
        case
            when {% for name in measure.empty %}max({{ name | ident }}) = 0{% if not loop.last %} or {% endif %}{% endfor %} then {{ empty_value | literal }}
            else coalesce(
{% for line in measure.lines %}
                {{ line }}{% if loop.last %},{% endif %}

{% endfor %}
                0
            )
        end as {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% else %}
        coalesce(
{% for line in measure.lines %}
            {{ line }}{% if loop.last %},{% endif %}

{% endfor %}
            {{ measure.nothing | literal }}
        ) as {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% endif %}
{% endfor %}
    from {% if cumulations %}cumulated{% else %}observations{% endif %}

    group by {{ keys }}
)

select
    system,
    query_id,
{% for segment in segments %}
    {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
    weight,
{% endif %}
{% if diagnostics %}
    sqlrank_retrieved,
    sqlrank_judged,
    sqlrank_relevant,
    sqlrank_tied,
{% endif %}
{% for measure in measures %}
{% if measure.weight %}
    {{ measure.weight | ident }},
{% endif %}
    {{ measure.column | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
from per_query
