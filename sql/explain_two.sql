{% from "macros/ranking.sql" import gain_of %}
-- two rankings of one query side by side{% if title %}, and what each document adds to {{ title }}{% endif +%}
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
        system,
        coalesce(rank, place) as at_place,
        coalesce(
{% for line in lines %}
            {{ line }}{% if loop.last %},{% endif +%}
{% endfor %}
            0
        ) as part
    from observations
    where
        query_id = {{ query | literal }}
        and system in ({{ before | literal }}, {{ after | literal }})
    group by system, coalesce(rank, place)
),
{% if first_only %}
-- the same where the first place with any has it all
first_parts as (
    select
        system,
        at_place,
        case
            when at_place = min(case when part > 0 then at_place end) over (partition by system) then part
            else 0
        end as part
    from place_parts
),
{% endif %}
{% endif %}
-- the documents of both rankings
shown_documents as (
    select
        ranked.system as system,
        ranked.rank as rank,
        ranked.doc_id as doc_id,
        ranked.score as score,
        {%+ if carries %}ranked{% else %}judged{% endif %}.relevance as relevance,
{% if lines %}
        coalesce(adding.part, 0) as contribution
{% else %}
        cast(null as {{ double }}) as contribution
{% endif %}
    from ranked
{% if not carries %}
    left join judged
        on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
{% endif %}
{% if lines %}
    left join {%+ if first_only %}first_parts{% else %}place_parts{% endif %} as adding
        on ranked.system = adding.system and ranked.rank = adding.at_place
{% endif %}
    where
        ranked.query_id = {{ query | literal }}
        and ranked.system in ({{ before | literal }}, {{ after | literal }})
{% if depth and unjudged != "remove" %}
        and ranked.rank <= {{ depth }}
{% endif %}
),
-- both rankings of each of them
beside as (
    select
        max(case when system = {{ before | literal }} then rank end) as baseline_rank,
        max(case when system = {{ after | literal }} then rank end) as rank,
        doc_id,
        max(relevance) as relevance,
        max(case when system = {{ before | literal }} then score end) as baseline_score,
        max(case when system = {{ after | literal }} then score end) as score,
        sum(case when system = {{ before | literal }} then contribution else 0 end) as baseline_contribution,
        sum(case when system = {{ after | literal }} then contribution else 0 end) as contribution
    from shown_documents
    group by doc_id
)

select
    baseline_rank,
    rank,
    case
        when baseline_rank is null then 'new'
        when rank is null then 'gone'
        when rank < baseline_rank then 'up'
        when rank > baseline_rank then 'down'
        else 'same'
    end as moved,
    doc_id,
    relevance,
{% if gain is none %}
    cast(null as {{ double }}) as gain,
{% else %}
    {{ gain_of(gain) }} as gain,
{% endif %}
    baseline_score,
    score,
{% if lines %}
    baseline_contribution,
    contribution,
    contribution - baseline_contribution as difference
{% else %}
    cast(null as {{ double }}) as baseline_contribution,
    cast(null as {{ double }}) as contribution,
    cast(null as {{ double }}) as difference
{% endif %}
from beside
