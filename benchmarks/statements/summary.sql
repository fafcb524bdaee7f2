with per_query as (
{per_query}),
totals as (
    select
        count(*) as queries,
        avg(ndcg_at_10) as ndcg_mean, stddev_samp(ndcg_at_10) as ndcg_spread,
        avg(ap) as ap_mean, stddev_samp(ap) as ap_spread
    from per_query
)
select
    metric, queries,
    case metric when 'ap' then ap_mean else ndcg_mean end as value,
    case metric when 'ap' then ap_spread else ndcg_spread end / sqrt(queries) as stderr
from totals
cross join (select 'ndcg@10' as metric union all select 'ap' as metric) as metrics
