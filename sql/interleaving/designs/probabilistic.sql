{#
title = "probabilistic"
needs = ["rank_a", "rank_b", "length_a", "length_b"]
credits = ["count", "weights", "win"]
citation = "K. Hofmann, S. Whiteson and M. de Rijke, CIKM 2011"
doi = "10.1145/2063576.2063618"
#}
{% from "macros/interleaving.sql" import value_of, chance_of %}
with
-- the sum of what a list of so many documents gives each
totals as (
    select
        length,
        sum(power(length, {{ -tau | literal }})) over (order by length asc) as total
    from range(1, {{ longest }} + 1) as lengths(length)
),

-- how likely each ranker is to have picked what was clicked, of the documents that were left
chances as (
    select
        shown.impression_id,
        shown.position,
        {{ value_of(weights) }} as value,
        {{ chance_of("rank_a", "of_a", tau) }} as chance_a,
        {{ chance_of("rank_b", "of_b", tau) }} as chance_b
    from {{ rows }} as shown
    left join totals as of_a on shown.length_a = of_a.length
    left join totals as of_b on shown.length_b = of_b.length
),

credits as (
    select
        impression_id,
{% if credit == "win" %}
        list_reduce(
            list([chance_a / (chance_a + chance_b)] order by position asc),
            lambda likely, chance: list_transform(
                range(1, len(likely) + 2),
                lambda number: coalesce(likely[number], 0) * (1 - chance[1]) + case when number > 1 then likely[number - 1] else 0 end * chance[1]
            ),
            [1e0]
        ) as likely
{% else %}
        sum(value * chance_a / (chance_a + chance_b)) as credit_1,
        sum(value * chance_b / (chance_a + chance_b)) as credit_2
{% endif %}
    from chances
    where value > 0 and chance_a + chance_b > 0
    group by impression_id
)

select
    picks.impression_id,
{% for column in carried %}
    picks.{{ column | ident }},
{% endfor %}
{% if credit == "win" %}
    -- of so many clicks, the chance that more than half are on picks of the one, and of the other
    coalesce(list_sum(list_filter(likely, lambda chance, number: 2 * (number - 1) > len(likely) - 1)), 0) as credit_1,
    coalesce(list_sum(list_filter(likely, lambda chance, number: 2 * (number - 1) < len(likely) - 1)), 0) as credit_2,
{% else %}
    coalesce(credits.credit_1, 0) as credit_1,
    coalesce(credits.credit_2, 0) as credit_2,
{% endif %}
    case when {% for action in weights %}{{ ("places_" ~ action) | ident }} <> 0{% if not loop.last %} or {% endif %}{% endfor %} then 1 else 0 end as happened,
    0 as cut,
    0 as broken
from {{ picks }} as picks
left join credits on picks.impression_id = credits.impression_id
