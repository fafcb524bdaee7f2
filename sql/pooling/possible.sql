-- what the first documents add to {{ metric }} as judged so far, and what the unjudged ones could add: of each
-- system, and of each pair the smaller of both
with

-- what a document adds, by its place and its relevance, at the top of the scale where it is unjudged
worths as (
    select
        rank,
        judged,
{% for line in lines %}
        {{ line }}{% if loop.last %} as worth{% endif +%}
{% endfor %}
    from (
        select distinct
            rank,
            relevance as judged,
            coalesce(relevance, {{ top | literal }}) as relevance
        from {{ places }}
    ) as shown_places
    group by rank, judged
),

valued as (
    select
        first_documents.system as system,
        first_documents.query_id as query_id,
        first_documents.doc_id as doc_id,
        worths.judged as judged,
        {%+ if weighted %}first_documents.weight * {% endif %}cast(worths.worth as {{ double }}) as worth
    from {{ places }} as first_documents
    inner join worths
        on first_documents.rank = worths.rank and first_documents.relevance is not distinct from worths.judged
    where worths.worth <> 0
)

select
    system,
    cast(null as {{ text }}) as other,
    coalesce({{ exact_sum }}(case when judged is not null then worth end), 0) as judged,
    coalesce({{ exact_sum }}(case when judged is null then worth end), 0) as open
from valued
group by system

union all

select
    one.system as system,
    other.system as other,
    0 as judged,
    {{ exact_sum }}(least(one.worth, other.worth)) as open
from valued as one
inner join valued as other
    on one.query_id = other.query_id and one.doc_id = other.doc_id and one.system < other.system
where one.judged is null and other.judged is null
group by one.system, other.system
