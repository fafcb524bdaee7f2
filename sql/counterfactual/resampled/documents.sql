{# Each document of each query in each replicate. #}
select
    of_cells.replicate,
    of_cells.query_id,
    of_cells.doc_id,
    sum(of_cells.impressions) as impressions,
    sum(of_cells.rewards) as rewards{% if propensities %},
    sum(of_cells.impressions * propensities.propensity) as examinations,
    sum(of_cells.rewards / propensities.propensity) as corrected
{% endif +%}
from {{ cells }} as of_cells
{% if propensities %}
inner join {{ propensities }} as propensities on of_cells.position = propensities.position
{% endif %}
group by all
