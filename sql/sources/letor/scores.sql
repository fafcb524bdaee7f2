{# The scores of a file in their order; of RankLib with the query and the place of each. #}
select
{% if placed %}
    split_part(line, chr(9), 1) as scored_query,
    cast(split_part(line, chr(9), 2) as bigint) as scored_place,
    split_part(line, chr(9), 3) as score
{% else %}
    line as score
{% endif %}
from (
    select trim(line, E' \t\r') as line
    from {{ lines | trim | indent }}
)
where coalesce(line, '') <> ''
