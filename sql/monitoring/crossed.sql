judged as (
    select
        chart,
        direction,
        number,
        statistic,
        bound as {{ "limit" | ident }},
        case when sign * (statistic - bound) > 0 then 1 else 0 end as alarm
    from limited
)
