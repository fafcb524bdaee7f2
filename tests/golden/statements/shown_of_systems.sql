-- sqlrank 0.3.0: sqlrank sql exports.shown -m coverage@10 -m personalization@10 --items goods
-- with ties=doc-desc, order=desc, score-type=double, query-set=run, empty=zero, unjudged=nonrelevant
-- assumes: no null ids, finite scores, one row for each query and document
with

-- the rankings: one row for each document returned
run_rows as not materialized (
    select
        cast(query_id as varchar) as query_id,
        cast(doc_id as varchar) as doc_id,
        cast(score as double) as score
    from exports.shown
    where score is not null
),
-- the rank of each document
ranked as (
    select
        query_id,
        doc_id,
        row_number() over (partition by query_id order by score desc, doc_id desc) as rank
    from run_rows
),
-- the queries that have results
found_queries as (
    select
        query_id,
        count(*) as returned
    from run_rows
    group by query_id
),
-- the queries that are averaged
query_rows as (
    select
        found.query_id as query_id,
        cast(coalesce(found.returned, 0) as double) as retrieved
    from found_queries as found
),
-- the documents that could be shown
catalogue_items as (
    select cast(doc_id as varchar) as doc_id
    from goods
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
        'shown' as system,
        ranked.query_id as query_id,
        ranked.doc_id as doc_id,
        ranked.rank as rank
    from ranked
    inner join query_rows
        on ranked.query_id = query_rows.query_id
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
    'coverage@10' as metric,
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
    where ranked_documents.rank <= 10
    group by system
) as overall
    on scope_sizes.system = overall.system

union all

select
    scope_sizes.system as system,
    'personalization@10' as metric,
    overall.value as value,
    scope_sizes.queries as queries,
    cast(null as double) as stderr
from scope_sizes
left join (
    select
        system,
        1 - sum(times * (times - 1)) / nullif(max(queries) * (max(queries) - 1) * 10, 0) as value
    from (
        select
            system,
            cast(count(*) as double) as times,
            max(queries) as queries
        from (
            select
                system,
                doc_id,
                sum(cast(case when place = 1 then 1 else 0 end as double)) over (partition by system) as queries,
                rank
            from (
                select
                    system,
                    doc_id,
                    row_number() over (partition by system, query_id order by rank asc) as place,
                    rank
                from ranked_documents
            ) as placed
        ) as numbered
        where rank <= 10
        group by system, doc_id
    ) as counted
    group by system
) as overall
    on scope_sizes.system = overall.system
