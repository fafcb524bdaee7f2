{#
title = "personalization: how different the first k of two queries are"
title_zh = "个性化程度：两个查询（用户）的前 k 个结果有多不同"
family = "whole"
params = { k = "cutoff required" }
range = [0, 1]
summary = "whole"
undefined = "there is only one query with results"
formula = "1 - mean over pairs of queries with results of (documents in the top k of both) / k"
latex = '''
\text{personalization@}k = 1 - \frac{2}{Q\, (Q - 1)} \sum_{1 \le q < r \le Q} \frac{\left| A_k(q) \cap A_k(r) \right|}{k}
'''
citation = "Evidently AI, metric Personalization"
agrees = ["Evidently Personalization where every list has k documents or more"]
#}
select
    {{ scope }},
    1 - sum(times * (times - 1)) / nullif(max(queries) * (max(queries) - 1) * {{ k }}, 0) as value
from (
    select
        {{ scope }},
        cast(count(*) as {{ double }}) as times,
        max(queries) as queries
    from (
        select
            {{ scope }},
            doc_id,
            sum(cast(case when place = 1 then 1 else 0 end as {{ double }})) over (partition by {{ scope }}) as queries,
            rank
        from (
            select
                {{ scope }},
                doc_id,
                row_number() over (partition by {{ scope }}, query_id order by rank asc) as place,
                rank
            from ranked_documents
        ) as placed
    ) as numbered
    where rank <= {{ k }}
    group by {{ scope }}, doc_id
) as counted
group by {{ scope }}
