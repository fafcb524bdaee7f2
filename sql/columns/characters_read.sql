{#
text = "characters that a user has read at the end of the document"
rows = ["shown"]
depends = ["gain", "unit"]
input = "length"
step = "shown_rows"
judged = true
#}
{% from "macros/ranking.sql" import has_gain %}
sum(
    200.0
    + case
        when {{ has_gain(gain) | replace("relevance", "judged.relevance") }}
            then {{ (0.2 * unit) | literal }} * cast(catalogue.{{ items.length | ident }} as {{ double }})
        else 0
    end
) over (
    partition by {{ row_keys }}
    order by ranked.rank asc
    rows between unbounded preceding and current row
)
