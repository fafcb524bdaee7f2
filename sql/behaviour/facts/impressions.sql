{# What impressions are like. An impression whose marks of documents are fewer than its rows may hold one twice: marks are
   bits, so that nothing is kept of a document; where none is short, no document stands twice. #}
select
    count(*) as impressions,
    count(*) filter (where clicks = 0) as without_clicks,
    count(*) filter (where clicks = rows_of and rows_of > 1) as all_clicked,
    max(rows_of) as longest,
    count(*) filter (where lowest = 0) as from_zero,
    count(*) filter (where lowest = 1) as from_one,
    min(cast(impression_id as varchar)) filter (where lowest = 0) as zero_example,
    min(cast(impression_id as varchar)) filter (where lowest = 1) as one_example,
    count(*) filter (where first_query is distinct from last_query) as several_queries,
    min(cast(impression_id as varchar)) filter (where first_query is distinct from last_query) as queries_example,
    count(*) filter (where places < least(rows_of, 64)) as places_short,
    count(*) filter (where marks < least(rows_of, 64)) as documents_short
from (
    select
        impression_id,
        count(*) as rows_of,
        sum(clicked) as clicks,
        min(position) as lowest,
        min(query_id) as first_query,
        max(query_id) as last_query,
        bit_count(bit_or(cast(1 as ubigint) << (position & 63))) as places,
        greatest(
            bit_count(bit_or(cast(1 as ubigint) << (hash(doc_id) & 63))),
            bit_count(bit_or(cast(1 as ubigint) << ((hash(doc_id) >> 6) & 63))),
            bit_count(bit_or(cast(1 as ubigint) << ((hash(doc_id) >> 12) & 63)))
        ) as marks
    from {{ log }}
    group by impression_id
)
