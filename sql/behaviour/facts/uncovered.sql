{# Positions of cells that have no propensity. #}
select
    coalesce(sum(cells.impressions) filter (where propensities.position is null), 0) as rows_of,
    sum(cells.impressions) as rows_read,
    min(cells.position) filter (where propensities.position is null) as position,
    min(cells.position) filter (where propensities.position is null) - 1 as deepest
from {{ cells }} as cells
left join {{ propensities }} as propensities on cells.position = propensities.position
