{#
title = "balanced"
needs = ["rank_a", "rank_b"]
credits = ["count", "weights"]
citation = "T. Joachims, Text Mining 2003"
#}
{% from "macros/interleaving.sql" import value_of %}
{# Where the lowest click is, and how far down either list has to be read for it. #}
select
    picks.impression_id,
{% for column in carried %}
    picks.{{ column | ident }},
{% endfor %}
    coalesce(credits.credit_1, 0) as credit_1,
    coalesce(credits.credit_2, 0) as credit_2,
    case when credits.impression_id is null then 0 else 1 end as happened,
    0 as cut,
    0 as broken
from {{ picks }} as picks
left join (
    select
        impression_id,
        sum(case when rank_a <= depth then value else 0 end) as credit_1,
        sum(case when rank_b <= depth then value else 0 end) as credit_2
    from (
        select
            impression_id,
            rank_a,
            rank_b,
            {{ value_of(weights) }} as value,
            first_value(least(coalesce(rank_a, rank_b), coalesce(rank_b, rank_a)))
                over (partition by impression_id order by position desc) as depth
        from {{ rows }}
        where {{ value_of(weights) }} > 0
    ) as clicks
    group by impression_id
) as credits on picks.impression_id = credits.impression_id
