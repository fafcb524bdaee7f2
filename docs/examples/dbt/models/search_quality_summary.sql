-- sqlrank 0.3.0: sqlrank dbt . runs --qrels judgments -m ndcg@10 -m ap -m rr -m p@3 --against keyword --by queries.country --column system=system --fail-on-drop ndcg@10=0.05 --fail-under ndcg@10=0.5 --name search_quality --queries queries --weight queries.traffic
-- the mean of each metric over rows of queries
with
-- the metrics
metrics as (
    select 'ndcg@10' as metric union all select 'ap' as metric union all select 'rr' as metric union all select 'p@3' as metric
),
-- each query twice, in its segment and in the total, with a row for each metric; a weight of 0 leaves it out
by_metric as (
    select
        system, case when is_total then '' else country end as country, is_total, metric,
        nullif(weight / nullif(max(weight) over (partition by system, case when is_total then '' else country end, is_total), 0), 0) as weight,
        case metric when 'ndcg@10' then ndcg_at_10 when 'ap' then ap when 'rr' then rr when 'p@3' then p_at_3 end as value
    from {{ ref('search_quality') }}
    cross join metrics
    cross join (select false as is_total union all select true as is_total) as scopes
),
-- each value next to the mean and the sum of the weights
centred as (
    select
        system, country, is_total, metric, value, weight, sum(weight) over (partition by system, country, is_total, metric) as total,
        sum(weight * value) over (partition by system, country, is_total, metric) / sum(weight) over (partition by system, country, is_total, metric) as mean
    from by_metric
),
-- the mean of each metric, with its standard error by the jackknife, which leaves each query out once
means as (
    select
        system, country, is_total, metric, max(mean) as value, count(weight) as queries, count(weight) - 1 as df,
        case when min(total - weight) > 0 then sqrt(sum(power(weight * (value - mean) / nullif(total - weight, 0), 2)) * (count(weight) - 1) / count(weight)) end as stderr
    from centred
    group by system, country, is_total, metric
),
-- half the width of each interval: Student's t, exact to 1e-4 from ten queries on; none where all values are alike
intervals as (
    select
        system, country, is_total, metric, value, queries, stderr,
        case
            when queries >= 10 and stderr > 1e-9 * abs(value)
                then stderr * (1.959963984540054 + (2.372271230298562 + (2.8224986157396112 + (2.555849679507722 + 1.5895340533938224 / df) / df) / df) / df)
        end as half_width
    from means
)
select system, case when is_total then null else country end as country, is_total, metric, value, queries, stderr, value - half_width as ci_low, value + half_width as ci_high
from intervals
