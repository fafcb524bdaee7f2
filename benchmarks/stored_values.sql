copy (
    select
        '{system}' as system,
        'q' || query as query_id,
        {values}
    from range({queries}) as queries(query)
) to '{path}' (format parquet, kv_metadata {{{metadata}}})
