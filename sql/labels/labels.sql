{# A label is a share of the top of its scale, which has a Beta distribution, or above 1 a Gamma distribution without a top:
   both by moments. The variance of a share m is below m (1 - m), where the label would be nothing or all. #}
{% from "macros/labels.sql" import key_of %}
{% from "macros/ranking.sql" import id_of, number_of %}
-- the labels of the queries that count, each with the distribution that it is drawn from: none where it is certain
with

judged as (
    select
        {{ id_of(judged.query_id) }} as query_id,
        {{ id_of(judged.doc_id) }} as doc_id,
{% if subtopics %}
        {{ id_of(judged.subtopic) }} as subtopic,
{% endif %}
        {{ number_of(judged.relevance) }} as relevance,
        coalesce(try_cast({{ judged.low | ident }} as double), {{ number_of(judged.relevance) }}) as low,
        coalesce(try_cast({{ judged.high | ident }} as double), {{ number_of(judged.relevance) }}) as high
    from {{ judged.relation }}
    where {{ judged.relevance | ident }} is not null
),

given as (
    select
        queries.number as query,
        judged.* exclude (query_id),
        {{ key_of(subtopics) }} as key,
        (high - low) / {{ width | literal }} as sd,
        {%+ if top is not none %}{{ top | literal }}{% else %}case when low >= 0 and high <= 1 then 1.0 end{% endif %} as top
    from judged
    inner join {{ queries }} as queries
        on judged.query_id = queries.query_id
),

shares as (
    select
        *,
        relevance / top as share,
        sd > 0 and relevance > 0 and coalesce(relevance < top, true) as is_drawn
    from given
),

shapes as (
    select
        *,
        case when is_drawn and top is not null then greatest(share * (1 - share) / power(sd / top, 2) - 1, {{ loosest | literal }}) end as shapes_together
    from shares
)

select
    query,
    doc_id,
{% if subtopics %}
    subtopic,
{% endif %}
    key,
    relevance,
    top,
    case when not is_drawn then 0 when shapes_together is not null then top * sqrt(share * (1 - share) / (shapes_together + 1)) else sd end as sd,
    case when is_drawn then coalesce(share * shapes_together, power(relevance / sd, 2)) end as shape,
    (1 - share) * shapes_together as other_shape
from shapes
