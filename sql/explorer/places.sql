-- the documents that stand in the first places of a system, query by query, with where every system has them
select
    queries.number as number,
    cast(documents.doc_id as varchar) as doc_id,
    max(documents.relevance) as relevance{% for system in systems %},
    max(case when documents.system = {{ system | literal }} then documents.rank end) as rank_{{ loop.index }},
    cast(printf('%.6g', max(case when documents.system = {{ system | literal }} then documents.score end)) as double) as score_{{ loop.index }},
    round(sum(case when documents.system = {{ system | literal }} then documents.contribution else 0 end), 9) as part_{{ loop.index }}{% endfor %},
    min(documents.rank) as best_rank
from {{ documents }} as documents
inner join {{ queries }} as queries
    on documents.query_id = queries.query_id
group by queries.number, documents.doc_id
having min(documents.rank) <= {{ rows }}
