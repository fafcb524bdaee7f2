{# The logarithm of what is maximised: the likelihood of the clicks, and the prior. #}
select
    (select sum(likelihood) from {{ likely }}) as likelihood,
    (
        select sum({{ prior.a | literal }} * (ln(attraction) + ln(satisfaction)) + {{ prior.b | literal }} * (ln(1 - attraction) + ln(1 - satisfaction)))
        from {{ network }}
    )
    + (
        select {{ prior.a | literal }} * ln(continuation) + {{ prior.b | literal }} * ln(1 - continuation)
        from {{ continuation }}
    ) as prior
