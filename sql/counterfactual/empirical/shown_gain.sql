{# The discounted gain of what was shown, of clicks that each are worth as much as their position is seldom looked at. #}
select sum(of_cells.rewards / propensities.propensity * ln(2.0) / ln(of_cells.position + 1.0))
from {{ cells }} as of_cells
inner join {{ propensities }} as propensities on of_cells.position = propensities.position
where of_cells.position <= {{ cutoff }}
