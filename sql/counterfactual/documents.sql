{# Each document of each query, wherever it stood: its impressions, how often it was looked at, and what it earned. #}
select
    of_cells.query_id,
    of_cells.doc_id,
    cast(of_cells.query_id as varchar) as query_text,
    cast(of_cells.doc_id as varchar) as doc_text,
    sum(of_cells.impressions) as impressions,
    sum(of_cells.rewards) as rewards{% if propensities %},
    sum(of_cells.impressions * propensities.propensity) as examinations,
    sum(of_cells.rewards / propensities.propensity) as corrected
{% endif +%}
from {{ cells }} as of_cells
{% if propensities %}
inner join {{ propensities }} as propensities on of_cells.position = propensities.position
{% endif %}
group by of_cells.query_id, of_cells.doc_id
