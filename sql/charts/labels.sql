-- labels by how many impressions they rest on: a tenth of those of a band is below `low`, a half below `value`
select
    cast(power(2, floor(log2(impressions))) as bigint) as impressions,
    quantile_cont(relevance, 0.1) as low,
    quantile_cont(relevance, 0.5) as value,
    quantile_cont(relevance, 0.9) as high,
    avg(high - low) / 2 as half_width,
    count(*) as labels
from {{ relation }}
where impressions > 0
group by floor(log2(impressions))
order by impressions asc
