{#
text = "1 for the first document of a category"
rows = ["shown"]
input = "category"
step = "shown_rows"
#}
cast(case
    when catalogue.category is null then 1
    when row_number() over (partition by {{ row_keys }}, catalogue.category order by ranked.rank asc) = 1 then 1
    else 0
end as {{ double }})
