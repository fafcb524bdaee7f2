-- the running sum of the distances less half a standard deviation each
cumulated as (
    select
        chart,
        direction,
        number,
        sum(sign * residual / scale - {{ rule.slack | literal }}) over (
            partition by chart, direction order by number asc rows between unbounded preceding and current row
        ) as total
    from measured
    where number > 0 and scale is not null
),

-- the same relative to its least value so far
lowest as (
    select
        chart,
        direction,
        number,
        total,
        min(total) over (
            partition by chart, direction order by number asc rows between unbounded preceding and current row
        ) as least
    from cumulated
),

-- how far it is above that, or above 0
raised as (
    select
        chart,
        direction,
        number,
        total - case when least < 0 then least else 0 end as statistic
    from lowest
),

judged as (
    select
        chart,
        direction,
        number,
        statistic,
        cast({{ rule.limit | literal }} as {{ double }}) as {{ "limit" | ident }},
        case when statistic >= {{ rule.limit | literal }} then 1 else 0 end as alarm
    from raised
)
