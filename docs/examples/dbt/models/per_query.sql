-- one row for each system and query
{{ sqlrank.per_query(
    run=ref('runs'),
    qrels=ref('judgments'),
    metrics=['ndcg@10', 'ap', 'rr', 'p@3'],
    queries=ref('queries'),
    by='queries.country',
    weight='queries.traffic',
    columns={'system': 'system'}
) }}
