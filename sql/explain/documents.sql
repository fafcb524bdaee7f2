with{% if recursive %} recursive{% endif +%}

{% for step in document_steps %}
{% include step %}
{% endfor %}
{% if lines %}
{% for step in query_steps + metric_steps %}
{% include step %}
{% endfor %}
-- what the documents of each place add up to
place_parts as (
    select
        {{ keys }},
        coalesce(rank, place) as at_place,
        coalesce(
{% for line in lines %}
            {{ line }}{% if loop.last %},{% endif +%}
{% endfor %}
            0
        ) as part
    from observations
{% if query is not none %}
    where
        query_id = {{ query | literal }}
        and system in ({{ before | literal }}, {{ after | literal }})
{% endif %}
    group by {{ keys }}, coalesce(rank, place)
    window ranking as (partition by {{ keys }})
),
{% if first_only %}
-- the same where the first place with any has it all
first_parts as (
    select
        {{ keys }},
        at_place,
        case
            when at_place = min(case when part > 0 then at_place end) over (partition by {{ keys }}) then part
            else 0
        end as part
    from place_parts
),
{% endif %}
{% endif %}
-- the documents of {% if query is none %}every ranking{% else %}both rankings{% endif %}, with what each adds
shown_documents as (
    select
        {%+ if several %}ranked.system{% else %}{{ shown_system | literal }}{% endif %} as system,
        ranked.query_id as query_id,
        ranked.rank as rank,
        ranked.doc_id as doc_id,
        ranked.score as score,
        {%+ if without_judgments %}cast(null as {{ double }}){% elif carries %}ranked.relevance{% else %}judged.relevance{% endif %} as relevance,
{% if lines %}
        coalesce(adding.part, 0) as contribution
{% else %}
        cast(null as {{ double }}) as contribution
{% endif %}
    from ranked
{% if not carries and not without_judgments %}
    left join judged
        on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
{% endif %}
{% if lines %}
    left join {%+ if first_only %}first_parts{% else %}place_parts{% endif %} as adding
        on {% if several %}ranked.system = adding.system and {% endif %}ranked.query_id = adding.query_id and ranked.rank = adding.at_place
{% endif %}
{% if query is not none %}
    where
        ranked.query_id = {{ query | literal }}
        and ranked.system in ({{ before | literal }}, {{ after | literal }})
{% endif %}
{% if depth and unjudged != "remove" %}
    {% if query is none %}where{% else %}    and{% endif %} ranked.rank <= {{ depth }}
{% endif %}
)
