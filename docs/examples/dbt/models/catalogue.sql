-- the share of the products that anybody is shown
{{ sqlrank.overall(
    run=ref('runs'),
    metrics=['coverage@3'],
    qrels=ref('judgments'),
    items=ref('products'),
    columns={'system': 'system'}
) }}
