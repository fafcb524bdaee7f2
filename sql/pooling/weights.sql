{# The weight of each query. #}
(
    select
        query_id,
        max(weight) as weight
    from {{ places }}
    group by query_id
) as query_weights
