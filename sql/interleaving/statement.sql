{% from "macros/moments.sql" import grouped, joined, moments_of, scope_of %}
{% from "macros/quantiles.sql" import student %}
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
{{ scope_of(segments + keys) }}        max(clicked) as clicked,
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
{{ scope_of(segments + keys) }}        sum(clicked) as votes,
        cast(sum(clicked) as {{ double }}) as weight,
        cast(sum(vote) as {{ double }}) as difference,
        sum(case when vote = 1 then 1 else 0 end) as wins_a,
        sum(case when vote = -1 then 1 else 0 end) as wins_b,
        sum(1 - clicked) as without_clicks
    from votes
{{ grouped(segments + keys) }}),

totals as (
    select
{{ scope_of(segments) }}        sum(wins_a) as wins_a,
        sum(wins_b) as wins_b,
        sum(votes) - sum(wins_a) - sum(wins_b) as ties,
        sum(without_clicks) as without_clicks
    from clusters
{{ grouped(segments) }}),

{{ moments_of("clusters", segments) }},

preferences as (
    select
        totals.*,
        moments.weight as votes,
        moments.mean as mean_vote,
        (totals.wins_a + totals.wins_b) / nullif(moments.weight, 0) as decided,
{% if unit_keys %}
        moments.weight * moments.weight / nullif(moments.squared_weights, 0) as effective,
        case
            when moments.squared_moves > 0
                then ((totals.wins_a + totals.wins_b) / moments.weight - moments.mean * moments.mean) / moments.squared_moves * moments.units / nullif(moments.units - 1, 0) * moments.weight / (moments.weight - 1)
        end as alike,
{% endif %}
        sqrt(moments.squared_moves * (moments.units - 1) / nullif(moments.units, 0)) / 2 as stderr
    from totals
    {{ joined("totals", "moments", segments) | indent -}}
),

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
