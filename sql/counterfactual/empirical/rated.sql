{# What the log says of the places of the candidates, by an estimator: the expected reward there (`rate`), how much a reward of
   the document counts where it stood (`factor`), and what was to be expected of it (`base`). #}
select
    places.system,
    places.query_id,
    places.position,
    places.position as place,
    places.doc_id,
    places.traffic,
    places.share,
    places.level,
    places.most,
    places.answered,
    coalesce(shown.impressions, 0) as impressions,
    coalesce(shown.impressions >= {{ fewest }}, false) as supported,
    1.0 as discount,
{% if model == "pbm" %}
    propensities.propensity * shown.rewards / shown.examinations as rate,
    places.traffic * propensities.propensity / shown.examinations as factor,
    shown.rewards / shown.examinations as base
{% else %}
    shown.rewards / shown.impressions as rate,
    places.traffic / shown.impressions as factor,
    shown.rewards / shown.impressions as base
{% endif %}
from {{ places }} as places
left join {% if model == "item-position" %}{{ cells }}{% else %}{{ documents }}{% endif %} as shown
    on places.query_id = shown.query_id and places.doc_id = shown.doc_id{% if model == "item-position" %} and places.position = shown.position{% endif +%}
{% if model == "pbm" %}
inner join {{ propensities }} as propensities on places.position = propensities.position
{% endif %}
