{% from "macros/ranking.sql" import gain_of, has_gain, places_to %}
{% for ideal in ideals %}
{% if ideal.kind == "full" %}
-- the places of a ranking of {{ ideal.k }} documents
places_of_{{ ideal.rows | ident }} as (
    {{ places_to(ideal.k) }}
),

-- the largest gain of all judgments
top_of_{{ ideal.rows | ident }} as (
    select max({{ gain_of(ideal.gain) }}) as gain
    from qrels_rows
),

-- a ranking with the largest gain at every place
{{ ideal.rows | ident }} as (
    select
{% if several %}
        query_rows.system as system,
{% endif %}
        query_rows.query_id as query_id,
        places.place as place,
        largest.gain as {{ ideal.name | ident }}
    from query_rows
    cross join places_of_{{ ideal.rows | ident }} as places
    cross join top_of_{{ ideal.rows | ident }} as largest
),

{% elif ideal.kind == "retrieved" %}
-- what was found, in its best order
{{ ideal.rows | ident }} as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        {{ gain_of(ideal.gain) }} as {{ ideal.name | ident }},
        row_number() over (partition by {{ keys }} order by {{ gain_of(ideal.gain) }} desc) as place
    from retrieved
    where {{ has_gain(ideal.gain) }}
),

{% else %}
-- the judgments in their best order
{{ ideal.rows | ident }} as (
    select
        query_id,
        {%+ if ideal.gain.kind == "linear" %}relevance{% else %}{{ gain_of(ideal.gain) }}{% endif %} as {{ ideal.name | ident }},
{% if ideal.step %}
        case
            when {{ gain_of(ideal.gain) }} = lead({{ gain_of(ideal.gain) }}) over (
                partition by query_id
                order by {% if ideal.gain.kind == "table" %}{{ gain_of(ideal.gain) }}{% else %}relevance{% endif %} desc
            ) then 0
            else 1
        end as {{ ideal.step | ident }},
{% endif %}
        row_number() over (
            partition by query_id
            order by {% if ideal.gain.kind == "table" %}{{ gain_of(ideal.gain) }}{% else %}relevance{% endif %} desc
        ) as place
    from qrels_rows
    where {{ has_gain(ideal.gain) }}
),

{% endif %}
{% endfor %}
