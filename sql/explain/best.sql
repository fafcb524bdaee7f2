-- the judgments in their best order
best as (
    select
        query_id,
        row_number() over (partition by query_id order by {{ gain_of(gain) }} desc, doc_id desc) as place,
        doc_id,
        relevance,
        {{ gain_of(gain) }} as gain
    from judged
    where
        {{ has_gain(gain) }}
{% if query is not none %}
        and query_id = {{ query | literal }}
{% endif %}
)
