{#
text = "1 where the baseline has results for the query"
rows = ["shown"]
input = "baseline"
step = "shown_rows"
#}
cast(case when baseline_queries.query_id is null then 0 else 1 end as {{ double }})
