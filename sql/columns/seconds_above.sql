{#
text = "seconds until a user comes to the document"
rows = ["shown"]
depends = ["rel"]
input = "length"
step = "shown_rows"
judged = true
#}
coalesce(sum(
    4.4
    + case when judged.relevance >= {{ rel | literal }} then 0.64 else 0.39 end
    * (0.018 * cast(catalogue.{{ items.length | ident }} as {{ double }}) + 7.8)
) over (
    partition by {{ row_keys }}
    order by ranked.rank asc
    rows between unbounded preceding and 1 preceding
), 0)
