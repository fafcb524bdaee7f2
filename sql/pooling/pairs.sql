{% from "macros/pooling.sql" import added, spread %}
-- the unjudged pairs, with what a judgment could change
with

{% if lines %}
-- what a document of gain 1 adds to {{ metric }} at each place
place_weights as (
    select
        rank,
{% for line in lines %}
        {{ line }}{% if loop.last %} as gained{% endif +%}
{% endfor %}
    from (select distinct rank from {{ places }}) as shown_places
    group by rank
),

-- the same for each document of each ranking
weighed as (
    select
        first_documents.query_id as query_id,
        first_documents.doc_id as doc_id,
        first_documents.relevance as relevance,
{% if weighted %}
        first_documents.weight as weight,
{% endif %}
        first_documents.rank as rank,
        cast(place_weights.gained as {{ double }}) as gained
    from {{ places }} as first_documents
    inner join place_weights
        on first_documents.rank = place_weights.rank
),
{% else %}
-- what each document adds to the sum of the precisions, next to those that were judged relevant
weighed as (
    select
        query_id,
        doc_id,
        relevance,
{% if weighted %}
        weight,
{% endif %}
        rank,
        {{ added(rel, k) }} as gained
    from {{ places }}
),
{% endif %}

-- one row for each pair
pairs as (
    select
        query_id,
        doc_id,
        {%+ if weighted %}max(weight) * {% endif %}({{ spread("gained", systems) }}) as change,
        count(case when rank <= {{ depth }} then 1 end) as systems,
        min(rank) as best_rank
    from weighed
    where relevance is null
    group by query_id, doc_id
    having min(rank) <= {{ depth }}
),

rounded as (
    select
        query_id,
        doc_id,
        round(change, 12) as weight,
        systems,
        cast(best_rank as bigint) as best_rank
    from pairs
)

-- documents of a query that weigh the same take turns with those of other queries
select
    *,
    row_number() over (partition by query_id, weight, systems, best_rank order by doc_id asc) as turn
from rounded
