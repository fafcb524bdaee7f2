{#
text = "1 for a document in the tail of the history"
rows = ["shown"]
depends = ["tail"]
needs = ["rarity", "known_documents"]
input = "history"
step = "shown_rows"
#}
{% if tail > 1 %}
cast(case when known_items.interactions <= {{ tail | literal }} then 1 else 0 end as {{ double }})
{%- else %}
{# A product such as 0.29 * 100 may be below the whole number. #}
cast(case
    when known_items.rarity <= 1 then 1
    when known_items.rarity <= floor({{ tail | literal }} * known_items.known_documents + 1e-9) then 1
    else 0
end as {{ double }})
{%- endif %}
