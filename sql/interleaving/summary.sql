{# How many votes each ranker has, and how far what is independent lies from the mean vote, for each unit of the votes that
   the others have. #}
{% set scope %}{% for segment in segments %}{{ segment | ident }}, {% endfor %}{% endset %}
with
totals as (
    select
        pair,
        {{ scope }}sum(wins_a) as wins_a,
        sum(wins_b) as wins_b,
        sum(votes) - sum(wins_a) - sum(wins_b) as ties,
        sum(without_clicks) as without_clicks,
        cast(sum(votes) as double) as votes,
        cast(sum(difference) as double) as difference,
        count(*) filter (where votes > 0) as clusters,
        sum(votes * votes) as squared_votes,
        sum(difference * difference) as squared_differences,
        sum(difference * votes) as products,
        max(votes) as heaviest
    from {{ votes }}
    group by all
)

select
    totals.*,
    residuals.residual_squares
from totals
left join (
    select
        votes.pair,
        {% for segment in segments %}votes.{{ segment | ident }}, {% endfor %}sum(power(
            (votes.difference - totals.difference / totals.votes * votes.votes) / nullif(1 - votes.votes / totals.votes, 0), 2
        )) as residual_squares
    from {{ votes }} as votes
    inner join totals
        on votes.pair = totals.pair
{% for segment in segments %}
        and votes.{{ segment | ident }} is not distinct from totals.{{ segment | ident }}
{% endfor %}
    where votes.votes > 0
    group by all
) as residuals
    on totals.pair = residuals.pair
{% for segment in segments %}
    and totals.{{ segment | ident }} is not distinct from residuals.{{ segment | ident }}
{% endfor %}
order by {{ scope }}totals.pair
