{# Positions whose propensity is none, or of which there are several. #}
select
    count(*) as findings,
    min(coalesce(cast(position as varchar), 'null')) as position,
    min_by(shown, coalesce(cast(position as varchar), 'null')) as propensity,
    min_by(rows_of, coalesce(cast(position as varchar), 'null')) as rows_of
from (
    select
        position,
        string_agg(coalesce(cast(propensity as varchar), 'null'), ' and ') as shown,
        count(*) as rows_of
    from {{ propensities }}
    group by position
    having count(*) > 1
        or position is null
        or position < 1
        or not coalesce(bool_and(isfinite(propensity) and propensity > 0 and propensity is not null), false)
)
