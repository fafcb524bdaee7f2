{% from "macros/keys.sql" import keys_in, keys_of with context %}
-- the gain of each place of these rankings
cover_rows as (
{% for novelty in covered_novelties %}
    select
        {{ keys_of("query_rows") }},
{% for other in covered_novelties %}
        {%+ if other.ideal_novelty == novelty.ideal_novelty %}sum(greedy.worth){% else %}cast(0 as {{ double }}){% endif %} as {{ other.ideal_novelty | ident }},
{% endfor %}
        greedy.place as place
    from query_rows
    inner join greedy_{{ novelty.ideal_novelty | ident }} as greedy
        on query_rows.query_id = greedy.query_id
    where greedy.taken = 1
    group by {{ keys_in("query_rows") }}, greedy.place
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),
