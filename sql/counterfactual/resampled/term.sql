{# What one term of a measure comes to in each replicate, with propensities of its own. A cell that a replicate lacks keeps what
   the whole log says of it. #}
{% if term.kind == "shown" %}
select
    reached.replicate,
    sum(places.held * reached.rewards) as value
from {{ reached }} as reached
inner join {{ term.places }} as places on reached.query_id = places.query_id and reached.position = places.position
group by reached.replicate
{% elif term.kind == "shown-dcg" %}
select
    of_cells.replicate,
    sum(of_cells.rewards / propensities.propensity * ln(2.0) / ln(of_cells.position + 1.0)) as value
from {{ cells }} as of_cells
inner join {{ propensities }} as propensities on of_cells.position = propensities.position
where of_cells.position <= {{ term.cutoff }}
group by of_cells.replicate
{% else %}
select
    reached.replicate,
    sum(rated.share * rated.discount * reached.traffic{% if term.other %} * least(held.held, others.held) / nullif(held.held, 0){% endif %} * coalesce(
        shown.{{ ("corrected" if term.kind == "dcg" else "rewards") | ident }} / nullif({% if term.kind == "pbm" %}shown.examinations{% else %}shown.impressions{% endif %}, 0), rated.base
    ){% if term.kind == "pbm" %} * propensities.propensity{% endif %}) as value
from {{ term.rated }} as rated
inner join {{ reached }} as reached on rated.query_id = reached.query_id and rated.position = reached.position
{% if term.other %}
inner join {{ term.held }} as held
    on rated.system = held.system and rated.query_id = held.query_id and rated.position = held.position
inner join {{ term.held }} as others
    on rated.query_id = others.query_id and rated.position = others.position and others.system = {{ term.other | literal }}
{% endif %}
left join {% if term.kind == "item-position" %}{{ cells }}{% else %}{{ documents }}{% endif %} as shown
    on rated.query_id = shown.query_id and rated.doc_id = shown.doc_id
        and reached.replicate = shown.replicate{% if term.kind == "item-position" %} and rated.position = shown.position{% endif +%}
{% if term.kind == "pbm" %}
inner join {{ propensities }} as propensities on rated.position = propensities.position
{% endif %}
where rated.system = {{ term.system | literal }}
    and rated.supported
group by reached.replicate
{% endif %}
