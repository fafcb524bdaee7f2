{% from "macros/ranking.sql" import gain_of, has_gain, weight_of %}
-- one ranking next to the best one possible: {{ title }}
with


{% for step in document_steps %}
{% include step %}
{% endfor %}
-- the documents found, with what each adds
found as (
    select
        ranked.rank as place,
        ranked.doc_id,
        ranked.score,
        relevance,
        {%+ if averaged %}avg({% endif %}{{ gain_of(gain) }}{% if averaged %}) over (partition by ranked.score){% endif %} as gain,
        sum(case when relevance >= {{ rel | literal }} then 1 else 0 end) over (
            order by ranked.rank asc
            rows between unbounded preceding and current row
        ) as hits
    from ranked
{% if not carries %}
    left join judged
        on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
{% endif %}
    where
        ranked.query_id = {{ query | literal }}
{% if several %}
        and ranked.system = {{ shown_system | literal }}
{% endif %}
{% if depth and unjudged != "remove" %}
        and ranked.rank <= {{ depth }}
{% endif %}
),

{% if ideal == "full" %}
-- the largest gain of {% if top_relevance is none %}all judgments{% else %}the scale{% endif %}, at every place
best as (
    select
        places.place,
        cast(null as {{ text }}) as doc_id,
        cast(null as {{ double }}) as relevance,
        (select max({{ gain_of(gain) }}) from {% if top_relevance is none %}judged{% else %}(select {{ top_relevance | literal }} as relevance) as scale{% endif %}) as gain
    from range(1, {{ rows + 1 }}) as places (place)
)
{% elif ideal == "retrieved" %}
-- what was found, in its best order
best as (
    select
        row_number() over (order by {{ gain_of(gain) }} desc, place asc) as place,
        doc_id,
        relevance,
        {{ gain_of(gain) }} as gain
    from found
    where {{ has_gain(gain) }}
)
{% else %}
{% include "explain/best.sql" %}
{% endif %}

select
    rank,
    doc_id,
    score,
    relevance,
    gain,
    {{ weight_of("rank", discount) }} as discount,
    gain * {{ weight_of("rank", discount) }} as contribution,
    hits,
    ideal_doc_id,
    ideal_relevance,
    ideal_gain,
    ideal_gain * {{ weight_of("rank", discount) }} as ideal_contribution
from (
    select
        coalesce(found.place, best.place) as rank,
        found.doc_id,
        found.score,
        found.relevance,
        found.gain,
        found.hits,
        best.doc_id as ideal_doc_id,
        best.relevance as ideal_relevance,
        best.gain as ideal_gain
    from found
    full outer join best
        on found.place = best.place
) as beside
where rank <= {{ rows }}
order by rank asc
