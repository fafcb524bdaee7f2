{# Attraction and satisfaction of each document, of what the last round held for likely. #}
select
    pair,
    sum(sessions) as impressions,
    sum(clicks) as clicks,
    sum(attraction_unsure) as attraction_unsure,
    sum(satisfaction_unsure) as satisfaction_unsure,
    least(({{ prior.a | literal }} + sum(attracted)) / ({{ (prior.a + prior.b) | literal }} + sum(sessions)), 1 - 1e-6) as attraction,
    least(({{ prior.a | literal }} + sum(satisfied)) / ({{ (prior.a + prior.b) | literal }} + sum(clicks)), 1 - 1e-6) as satisfaction
from {{ likely }}
group by pair
