-- rankings of one length in the order of their scores, some of whose documents are judged
copy (
    select
        'q' || cast(rankings.ranking as varchar) as query_id,
        'd' || cast(hash(rankings.ranking, places.place) % 10000000 as varchar) || '-' || cast(places.place as varchar) as doc_id,
        round((hash(rankings.ranking, places.place, 1) % 1000000) / 1000.0, 3) as score
    from range(getvariable('rankings')) as rankings (ranking)
    cross join range(getvariable('length')) as places (place)
    order by query_id, score desc
) to (getvariable('folder') || '/run.parquet');

copy (
    select
        'q' || cast(rankings.ranking as varchar) as query_id,
        'd' || cast(hash(rankings.ranking, places.place) % 10000000 as varchar) || '-' || cast(places.place as varchar) as doc_id,
        1 + places.place % 3 as relevance
    from range(getvariable('rankings')) as rankings (ranking)
    cross join range(getvariable('judged')) as places (place)
    order by query_id
) to (getvariable('folder') || '/qrels.parquet');

copy (
    select
        'q' || cast(rankings.ranking as varchar) as query_id,
        'd' || cast(hash(rankings.ranking, places.place) % 10000000 as varchar) || '-' || cast(places.place as varchar) as doc_id,
        round((hash(rankings.ranking, places.place, 1) % 1000000) / 1000.0, 3) as score,
        case when places.place < getvariable('judged') then 1 + places.place % 3 else 0 end as relevance
    from range(getvariable('rankings')) as rankings (ranking)
    cross join range(getvariable('length')) as places (place)
    order by query_id, hash(doc_id)
) to (getvariable('folder') || '/export.parquet');
