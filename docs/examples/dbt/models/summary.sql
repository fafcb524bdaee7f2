-- the means of the rows above: for each country, and in total
{{ sqlrank.summary(
    per_query=ref('per_query'),
    metrics=['ndcg@10', 'ap', 'rr', 'p@3'],
    by='country',
    weight=true
) }}
