{# Day by day: the votes of the day, and all votes until then as the confidence sequence takes them, what each independent
   unit has given by then together. #}
with
grown as (
    select
        pair,
        day,
        wins_a,
        wins_b,
        votes,
        difference,
        sum(votes) over until_then as all_votes,
        sum(difference) over until_then as all_difference
    from {{ votes }}
    where day is not null
    window until_then as (partition by pair, known, alone order by day asc)
),

days as (
    select
        pair,
        day,
        sum(wins_a) as wins_a,
        sum(wins_b) as wins_b,
        sum(votes) - sum(wins_a) - sum(wins_b) as ties,
        sum(votes) as votes,
        sum(difference) as difference,
        count(*) filter (where votes > 0 and all_votes = votes) as units,
        -- what the day adds to the squares of the sums of units
        sum(power(all_votes, 2) - power(all_votes - votes, 2)) as squared_votes,
        sum(power(all_difference, 2) - power(all_difference - difference, 2)) as squared_differences,
        sum(all_votes * all_difference - (all_votes - votes) * (all_difference - difference)) as products,
        max(all_votes) as heaviest
    from grown
    group by pair, day
)

select
    pair,
    day,
    wins_a,
    wins_b,
    ties,
    sum(units) over until_then as units,
    sum(votes) over until_then as weight,
    sum(difference) over until_then as difference,
    sum(squared_votes) over until_then as squared_weights,
    sum(squared_differences) over until_then as squared_differences,
    sum(products) over until_then as weighted_differences,
    max(heaviest) over until_then as heaviest
from days
window until_then as (partition by pair order by day asc)
order by pair asc, day asc
