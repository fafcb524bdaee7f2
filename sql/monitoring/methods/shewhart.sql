-- each value, and how far one may be from what is expected
limited as (
    select
        chart,
        direction,
        sign,
        number,
        value as statistic,
        expected + sign * {{ rule.limit | literal }} * moving_scale as bound
    from measured
    where number > 0 and moving_scale is not null
),

{% include "monitoring/crossed.sql" %}
