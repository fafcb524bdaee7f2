-- sqlrank 0.3.0: sqlrank dbt . runs --qrels judgments -m coverage@3 --column system=system --items products --name catalogue
-- with ties=doc-desc, order=desc, score-type=double, query-set=judged, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores and relevances (a null one is no judgment), one row for each query and document in the run and in the judgments
with

-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(system as varchar) as system,
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
    from {{ ref('runs') }}
    where score is not null
),
-- the judgments: one row for each judged document of a query
judged as (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(relevance as double) as relevance
    from {{ ref('judgments') }}
    where relevance is not null
),
-- the rank of each document
ranked as (
    select
        system, query_id,
        doc_id,
        row_number() over (partition by system, query_id order by score desc, doc_id desc) as rank
    from run_rows
),
-- the queries that were judged, with what there is to find
judged_queries as (
    select query_id
    from judged
    group by query_id
),
-- the queries that have results
found_queries as (
    select
        system, query_id,
        count(*) as returned
    from run_rows
    group by system, query_id
),
-- the systems
system_rows as (
    select distinct system
    from run_rows
),
-- the queries that are averaged
query_rows as (
    select
        coalesce(
            system_rows.system,
            cast(cast(
                case
                    when system_rows.system is null
                        then 'a row has no system: name it, or leave the row out (--where)'
                    else '0'
                end as integer
            ) as varchar)
        ) as system,
        judged.query_id as query_id,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from judged_queries as judged
    cross join system_rows
    left join found_queries as found
        on judged.query_id = found.query_id and system_rows.system = found.system
),
-- the documents that could be shown
catalogue_items as (
    select cast(doc_id as varchar) as doc_id
    from {{ ref('products') }}
    where doc_id is not null
    group by cast(doc_id as varchar)
),

catalogue_size as (
    select cast(count(*) as double) as items
    from catalogue_items
),

-- the rankings of the queries that are evaluated
ranked_documents as (
    select
        ranked.system as system,
        ranked.query_id as query_id,
        ranked.doc_id as doc_id,
        ranked.rank as rank
    from ranked
    inner join query_rows
        on ranked.query_id = query_rows.query_id and ranked.system = query_rows.system
),

-- how many queries have results
scope_sizes as (
    select
        system,
        count(distinct query_id) as queries
    from ranked_documents
    group by system
)

select
    scope_sizes.system as system,
    'coverage@3' as metric,
    overall.value as value,
    scope_sizes.queries as queries,
    cast(null as double) as stderr
from scope_sizes
left join (
    select
        system,
        cast(count(distinct catalogue_items.doc_id) as double) / max(catalogue_size.items) as value
    from ranked_documents
    left join catalogue_items
        on ranked_documents.doc_id = catalogue_items.doc_id
    cross join catalogue_size
    where ranked_documents.rank <= 3
    group by system
) as overall
    on scope_sizes.system = overall.system
