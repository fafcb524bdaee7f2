{% from "macros/quantiles.sql" import student %}
{% macro lines(names, step=none) %}
{% for name in names %}
        {%+ if step %}{{ step | ident }}.{% endif %}{{ name | ident }},
{% endfor %}
{% endmacro %}
{% macro named(names, step=none) %}{% for name in names %}{% if step %}{{ step | ident }}.{% endif %}{{ name | ident }}{% if not loop.last %}, {% endif %}{% endfor %}{% endmacro %}
{% macro grouped(names, step=none) %}
{% if names %}
    group by {{ named(names, step) }}
{% endif %}
{% endmacro %}
{% macro joined(one, other, names) %}
{% if names %}
    left join {{ other | ident }}
{% for name in names %}
        {%+ if loop.first %}on{% else %}and{% endif %} ({{ one | ident }}.{{ name | ident }} = {{ other | ident }}.{{ name | ident }} or ({{ one | ident }}.{{ name | ident }} is null and {{ other | ident }}.{{ name | ident }} is null))
{% endfor %}
{% else %}
    cross join {{ other | ident }}
{% endif %}
{% endmacro %}
{% set degrees %}(effective - 1){% endset %}
{% macro of_team(number) %}team = {{ teams[number] | literal }}{% endmacro %}
{% set until_here %}over (partition by impression_id order by place asc rows between unbounded preceding and current row){% endset %}
-- sqlrank {{ version }}: which ranker people prefer, of the interleaved lists of {{ title }}
{% for line in header %}
-- {{ line }}
{% endfor %}
with
{% include "behaviour/first_steps.sql" %}

-- the picks of both rankers in their order
picks as (
    select
        impression_id,
{% for column in carried + (["rank_a", "rank_b"] if ranked else []) %}
        {{ column | ident }},
{% endfor %}
        team,
        {{ value }} as worth,
        row_number() over (partition by impression_id order by position asc) as place
    from impressions
    where team in ({{ teams[0] | literal }}, {{ teams[1] | literal }})
),

-- how many picks each has by then{% if ranked %}, and the ranks of the next one{% endif +%}
drafted as (
    select
        picks.*,
{% if ranked %}
        lead(rank_a) over (partition by impression_id order by place asc) as next_a,
        lead(rank_b) over (partition by impression_id order by place asc) as next_b,
{% endif %}
        sum(case when {{ of_team(0) }} then 1 else 0 end) {{ until_here }} as picks_a,
        sum(case when {{ of_team(1) }} then 1 else 0 end) {{ until_here }} as picks_b
    from picks
),

-- where the first round of two picks begins that are not one of each
rounds as (
    select
        drafted.*,
        min(case when 2 * floor(place / 2.0) = place and picks_a <> picks_b then place - 1 end) over (partition by impression_id) as uneven
    from drafted
),

-- what each list gives each ranker, down to where one has no documents left; lists that go on with both are no drafts
credits as (
    select
        impression_id,
{% for column in carried %}
        min({{ column | ident }}) as {{ column | ident }},
{% endfor %}
{% if cluster != "impression_id" %}
        -- who is not known stands alone
        case when min({{ cluster | ident }}) is null then impression_id end as alone,
{% endif %}
{% for name in ["credit_a", "credit_b"] %}
        {%+ if credit == "any" %}max{% else %}sum{% endif %}(
            case
{% if ranked %}
                -- both would have made this pick
                when 2 * floor(place / 2.0) <> place and ({{ of_team(0) }} and rank_b < next_b or {{ of_team(1) }} and rank_a < next_a) then 0
{% endif %}
                when {{ of_team(loop.index0) }} and (uneven is null or place < uneven) then {% if credit == "any" %}case when worth > 0 then 1 else 0 end{% else %}worth{% endif +%}
                else 0
            end
        ) as {{ name | ident }},
{% endfor %}
        max(case when worth > 0 and (uneven is null or place < uneven) then 1 else 0 end) as clicked
    from rounds
    group by impression_id
    having max(case when place >= uneven and {{ of_team(0) }} then 1 else 0 end) + max(case when place >= uneven and {{ of_team(1) }} then 1 else 0 end) < 2
),

-- a vote for each {{ unit }}
votes as (
    select
{{ lines(segments + keys) }}        max(clicked) as clicked,
        case
            when max(clicked) = 0 or sum(credit_a) = sum(credit_b) then 0
            when sum(credit_a) > sum(credit_b) then 1
            else -1
        end as vote
    from credits
{{ grouped(segments + keys + unit_keys) }}),

-- the votes of what is independent
clusters as (
    select
{{ lines(segments + keys) }}        sum(clicked) as votes,
        cast(sum(vote) as {{ double }}) as difference,
        sum(case when vote = 1 then 1 else 0 end) as wins_a,
        sum(case when vote = -1 then 1 else 0 end) as wins_b,
        sum(1 - clicked) as without_clicks
    from votes
{{ grouped(segments + keys) }}),

totals as (
    select
{{ lines(segments) }}        sum(wins_a) as wins_a,
        sum(wins_b) as wins_b,
        sum(votes) - sum(wins_a) - sum(wins_b) as ties,
        sum(without_clicks) as without_clicks,
        cast(sum(votes) as {{ double }}) as votes,
{% if unit_keys %}
        cast(sum(votes * votes) as {{ double }}) as squared_votes,
{% endif %}
        sum(difference) / nullif(cast(sum(votes) as {{ double }}), 0) as mean_vote,
        cast(sum(case when votes > 0 then 1 else 0 end) as {{ double }}) as clusters
    from clusters
{{ grouped(segments) }}),

-- how far each lies from what its votes let expect, for each unit of the votes that the others have
residuals as (
    select
{{ lines(segments, "totals") }}        (clusters.difference - totals.mean_vote * clusters.votes) / nullif(1 - clusters.votes / totals.votes, 0) as residual
    from clusters
{{ joined("clusters", "totals", segments) }}    where clusters.votes > 0
),

spread as (
    select
{{ lines(segments) }}        sum(residual * residual) as squares
    from residuals
{{ grouped(segments) }}),

preferences as (
    select
{{ lines(segments, "totals") }}        totals.wins_a,
        totals.wins_b,
        totals.ties,
        totals.without_clicks,
        totals.mean_vote,
        (totals.wins_a + totals.wins_b) / nullif(totals.votes, 0) as decided,
        totals.votes,
{% if unit_keys %}
        totals.votes * totals.votes / nullif(totals.squared_votes, 0) as effective,
        case
            when spread.squares > 0
                then ((totals.wins_a + totals.wins_b) / totals.votes - totals.mean_vote * totals.mean_vote) * totals.clusters / nullif(totals.clusters - 1, 0) * power(totals.votes, 3) / (totals.votes - 1) / spread.squares
        end as alike,
{% endif %}
        sqrt(spread.squares * (totals.clusters - 1) / totals.clusters) / (2 * nullif(totals.votes, 0)) as stderr
    from totals
{{ joined("totals", "spread", segments) }}),

-- how many independent votes say as much{% if unit_keys %}: those that spread alike, at least as many as what is independent, by its votes{% endif +%}
sized as (
    select
        preferences.*,
{% if unit_keys %}
        case
            when alike is null and decided - mean_vote * mean_vote > 1e-12 or alike > votes then votes
            when alike > effective then alike
            else effective
        end as independent
{% else %}
        votes as effective,
        votes as independent
{% endif %}
    from preferences
),

-- one vote for each is added
centred as (
    select
        sized.*,
        mean_vote * independent / (independent + 2) as centre,
        sqrt(((decided * independent + 2) / (independent + 2) - power(mean_vote * independent / (independent + 2), 2)) / (independent + 2)) as spread
    from sized
),

ends as (
    select
        centred.*,
        case when effective >= 1.5 then (centre - {{ student(z, degrees) }} * spread) / 2 end as low,
        case when effective >= 1.5 then (centre + {{ student(z, degrees) }} * spread) / 2 end as high
    from centred
)

select
{% for name, alias in names %}
    {{ alias | ident }} as {{ name | ident }},
{% endfor %}
    {{ teams[0] | literal }} as a,
    {{ teams[1] | literal }} as b,
    {{ unit_name | literal }} as unit,
    wins_a,
    wins_b,
    ties,
    without_clicks,
    mean_vote / 2 as delta_ab,
    stderr,
    case when low < -0.5 then -0.5 else low end as ci_low,
    case when high > 0.5 then 0.5 else high end as ci_high
from ends
