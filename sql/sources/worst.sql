-- the queries with the {% if largest %}largest{% else %}smallest{% endif %} values of a metric, of each system; of equal ones those with more to find first
select
    places.system as system,
    places.query_id as query_id,
{% for segment in segments %}
    places.{{ segment.alias | ident }} as {{ segment.alias | ident }},
{% endfor %}
{% if titles %}
    titles.title as query,
{% endif %}
    places.{{ column | ident }} as {{ text | ident }}
from (
    select
        system,
        query_id,
{% for segment in segments %}
        {{ segment.alias | ident }},
{% endfor %}
        {{ column | ident }},
        row_number() over (partition by system order by {{ column | ident }}{% if largest %} desc{% endif %}, {% if judged %}sqlrank_relevant desc, {% endif %}query_id) as place
    from {{ per_query }}
    where {{ column | ident }} is not null{% if only is not none %} and system = {{ only | literal }}{% endif +%}
) as places
{% if titles %}
left join {{ titles }} as titles
    on places.query_id = titles.id
{% endif %}
where places.place <= {{ most }}
order by case places.system{% for name in systems %} when {{ name | literal }} then {{ loop.index }}{% endfor %} end, places.place
