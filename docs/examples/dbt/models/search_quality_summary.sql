-- sqlrank 0.2.0: sqlrank dbt . runs --qrels judgments -m ndcg@10 -m ap -m rr -m p@3 --against keyword --by queries.country --column system=system --fail-on-drop ndcg@10=0.05 --fail-under ndcg@10=0.5 --name search_quality --queries queries --weight queries.traffic
-- means with their standard errors, over the per-query rows; a weight of 0 leaves a query out
with

-- every query twice: in its segment, and in the total
scoped as (
    select
        system,
        case when is_total then '' else country end as country,
        weight,
        ndcg_at_10,
        ap,
        rr,
        p_at_3,
        is_total
    from {{ ref('search_quality') }}
    cross join (
        select false as is_total
        union all
        select true as is_total
    ) as scopes
),

-- the weight of each query as a share of the largest one
shares as (
    select
        system, country, is_total,
        weight / nullif(max(weight) over (partition by system, country, is_total), 0) as ndcg_at_10_factor,
        ndcg_at_10,
        weight / nullif(max(weight) over (partition by system, country, is_total), 0) as ap_factor,
        ap,
        weight / nullif(max(weight) over (partition by system, country, is_total), 0) as rr_factor,
        rr,
        weight / nullif(max(weight) over (partition by system, country, is_total), 0) as p_at_3_factor,
        p_at_3
    from scoped
),

-- every query beside the mean and the sum of the weights
centred as (
    select
        system, country, is_total,
        ndcg_at_10_factor,
        sum(case when ndcg_at_10 is not null and ndcg_at_10_factor > 0 then ndcg_at_10_factor end) over (partition by system, country, is_total) as ndcg_at_10_weight,
        sum(case when ndcg_at_10 is not null and ndcg_at_10_factor > 0 then ndcg_at_10_factor * ndcg_at_10 end) over (partition by system, country, is_total)
        / sum(case when ndcg_at_10 is not null and ndcg_at_10_factor > 0 then ndcg_at_10_factor end) over (partition by system, country, is_total) as ndcg_at_10_mean,
        ndcg_at_10,
        ap_factor,
        sum(case when ap is not null and ap_factor > 0 then ap_factor end) over (partition by system, country, is_total) as ap_weight,
        sum(case when ap is not null and ap_factor > 0 then ap_factor * ap end) over (partition by system, country, is_total)
        / sum(case when ap is not null and ap_factor > 0 then ap_factor end) over (partition by system, country, is_total) as ap_mean,
        ap,
        rr_factor,
        sum(case when rr is not null and rr_factor > 0 then rr_factor end) over (partition by system, country, is_total) as rr_weight,
        sum(case when rr is not null and rr_factor > 0 then rr_factor * rr end) over (partition by system, country, is_total)
        / sum(case when rr is not null and rr_factor > 0 then rr_factor end) over (partition by system, country, is_total) as rr_mean,
        rr,
        p_at_3_factor,
        sum(case when p_at_3 is not null and p_at_3_factor > 0 then p_at_3_factor end) over (partition by system, country, is_total) as p_at_3_weight,
        sum(case when p_at_3 is not null and p_at_3_factor > 0 then p_at_3_factor * p_at_3 end) over (partition by system, country, is_total)
        / sum(case when p_at_3 is not null and p_at_3_factor > 0 then p_at_3_factor end) over (partition by system, country, is_total) as p_at_3_mean,
        p_at_3
    from shares
),

-- the mean of each metric, or its sum where it is a count, and the standard error, of a weighted one by the jackknife
totals as (
    select
        system, country, is_total,
        count(case when ndcg_at_10 is not null and ndcg_at_10_factor > 0 then 1 end) as ndcg_at_10_queries,
        case
            when sum(case when ndcg_at_10 is not null and ndcg_at_10_factor > 0 then 1 else 0 end) > 1 and max(ndcg_at_10_factor) < max(ndcg_at_10_weight)
                then
                    sqrt(
                        sum(case when ndcg_at_10 is not null and ndcg_at_10_factor > 0 then power(ndcg_at_10_factor * (ndcg_at_10 - ndcg_at_10_mean) / nullif(1 - ndcg_at_10_factor / ndcg_at_10_weight, 0), 2) end)
                        * (sum(case when ndcg_at_10 is not null and ndcg_at_10_factor > 0 then 1 else 0 end) - 1) / sum(case when ndcg_at_10 is not null and ndcg_at_10_factor > 0 then 1 else 0 end)
                    ) / max(ndcg_at_10_weight)
        end as ndcg_at_10_stderr,
        max(ndcg_at_10_mean) as ndcg_at_10_value,
        count(case when ap is not null and ap_factor > 0 then 1 end) as ap_queries,
        case
            when sum(case when ap is not null and ap_factor > 0 then 1 else 0 end) > 1 and max(ap_factor) < max(ap_weight)
                then
                    sqrt(
                        sum(case when ap is not null and ap_factor > 0 then power(ap_factor * (ap - ap_mean) / nullif(1 - ap_factor / ap_weight, 0), 2) end)
                        * (sum(case when ap is not null and ap_factor > 0 then 1 else 0 end) - 1) / sum(case when ap is not null and ap_factor > 0 then 1 else 0 end)
                    ) / max(ap_weight)
        end as ap_stderr,
        max(ap_mean) as ap_value,
        count(case when rr is not null and rr_factor > 0 then 1 end) as rr_queries,
        case
            when sum(case when rr is not null and rr_factor > 0 then 1 else 0 end) > 1 and max(rr_factor) < max(rr_weight)
                then
                    sqrt(
                        sum(case when rr is not null and rr_factor > 0 then power(rr_factor * (rr - rr_mean) / nullif(1 - rr_factor / rr_weight, 0), 2) end)
                        * (sum(case when rr is not null and rr_factor > 0 then 1 else 0 end) - 1) / sum(case when rr is not null and rr_factor > 0 then 1 else 0 end)
                    ) / max(rr_weight)
        end as rr_stderr,
        max(rr_mean) as rr_value,
        count(case when p_at_3 is not null and p_at_3_factor > 0 then 1 end) as p_at_3_queries,
        case
            when sum(case when p_at_3 is not null and p_at_3_factor > 0 then 1 else 0 end) > 1 and max(p_at_3_factor) < max(p_at_3_weight)
                then
                    sqrt(
                        sum(case when p_at_3 is not null and p_at_3_factor > 0 then power(p_at_3_factor * (p_at_3 - p_at_3_mean) / nullif(1 - p_at_3_factor / p_at_3_weight, 0), 2) end)
                        * (sum(case when p_at_3 is not null and p_at_3_factor > 0 then 1 else 0 end) - 1) / sum(case when p_at_3 is not null and p_at_3_factor > 0 then 1 else 0 end)
                    ) / max(p_at_3_weight)
        end as p_at_3_stderr,
        max(p_at_3_mean) as p_at_3_value
    from centred
    group by system, country, is_total
),

-- a row for each metric
by_metric as (
    select
        system, country, is_total,
        metric,
        case metric when 'ndcg@10' then ndcg_at_10_value when 'ap' then ap_value when 'rr' then rr_value when 'p@3' then p_at_3_value end as value,
        case metric when 'ndcg@10' then ndcg_at_10_queries when 'ap' then ap_queries when 'rr' then rr_queries when 'p@3' then p_at_3_queries end as queries,
        case metric when 'ndcg@10' then ndcg_at_10_stderr when 'ap' then ap_stderr when 'rr' then rr_stderr when 'p@3' then p_at_3_stderr end as stderr
    from totals
    cross join (
        select 'ndcg@10' as metric
        union all
        select 'ap' as metric
        union all
        select 'rr' as metric
        union all
        select 'p@3' as metric
    ) as metrics
),

-- the 97.5 % point of Student's t by an expansion in 1 / (queries - 1), which is exact to 1e-4 from ten queries on;
-- none where all values are alike, as they do not show how much they vary
intervals as (
    select
        system, country, is_total,
        metric,
        value,
        queries,
        stderr,
        case
            when queries >= 10 and stderr > 1e-9 * abs(value)
                then
                    1.959963984540054 + 2.372271230298562 / (queries - 1) + 2.8224986157396112 / power(queries - 1, 2)
                    + 2.555849679507722 / power(queries - 1, 3) + 1.5895340533938224 / power(queries - 1, 4)
        end as quantile
    from by_metric
)

select
    system,
    case when is_total then null else country end as country,
    is_total,
    metric,
    value,
    queries,
    stderr,
    value - quantile * stderr as ci_low,
    value + quantile * stderr as ci_high
from intervals
