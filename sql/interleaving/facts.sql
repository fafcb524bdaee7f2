{# What the draft of a log looks like: whose first picks are, which lists are cut or no draft, and who clicks nothing. #}
select
    count(*) as impressions,
    sum(happened) as clicked,
    sum(cut) as cut,
    sum(broken) as broken,
    min(impression_id) filter (where broken = 1) as broken_example{% if drafted %},
    sum(shared) as shared,
    sum(first_pick) as first_a,
    count(*) - sum(first_pick) as first_b,
    sum(first_picks) as first_picks_a,
    sum(rounds) - sum(first_picks) as first_picks_b,
    sum(first_pick * (1 - happened)) as idle_a,
    sum((1 - first_pick) * (1 - happened)) as idle_b{% endif +%}
from {{ credits }}
