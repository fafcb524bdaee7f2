{# What each cell of the log counts for in each measure: `a_` for being shown, `b_` for each reward, `w_` the weight of a row.
   A measure is a sum of terms, of candidates and of what was shown. #}
{% macro looked_at() %}{% if propensities %}propensities.propensity{% else %}1.0{% endif %}{% endmacro %}
{% macro fixed(term) %}
{%- if term.kind in ("shown", "shown-dcg") %}0.0
{%- else %}coalesce(place_{{ term.number }}.rate, 0) - coalesce(own_{{ term.number }}.factor * own_{{ term.number }}.base{% if term.kind == "pbm" %} * {{ looked_at() }}{% endif %}, 0)
{%- endif %}
{%- endmacro %}
{% macro each(term) %}
{%- if term.kind == "shown" %}coalesce(place_{{ term.number }}.held, 0)
{%- elif term.kind == "dcg" %}coalesce(own_{{ term.number }}.factor, 0) / {{ looked_at() }}
{%- elif term.kind == "shown-dcg" %}case when of_cells.position <= {{ term.cutoff }} then ln(2.0) / ln(of_cells.position + 1.0) else 0 end / {{ looked_at() }}
{%- else %}coalesce(own_{{ term.number }}.factor, 0)
{%- endif %}
{%- endmacro %}
select
    of_cells.query_id,
    of_cells.doc_id,
    of_cells.position,
{% for measure in measures %}
    {%+ for term in measure.terms %}{% if not loop.first %} + {% endif %}{% if term.scale != 1 %}{{ term.scale | literal }} * {% endif %}({{ fixed(term) }}){% endfor %} as a_{{ measure.number }},
    {%+ for term in measure.terms %}{% if not loop.first %} + {% endif %}{% if term.scale != 1 %}{{ term.scale | literal }} * {% endif %}({{ each(term) }}){% endfor %} as b_{{ measure.number }},
{% if measure.weighs %}
    {{ each(measure.terms[0]) }} as w_{{ measure.number }},
{% endif %}
{% endfor %}
    of_cells.impressions
from {{ cells }} as of_cells
{% if propensities %}
inner join {{ propensities }} as propensities on of_cells.position = propensities.position
{% endif %}
{% for term in joined %}
{% if term.places %}
left join {{ term.places }} as place_{{ term.number }}
    on of_cells.query_id = place_{{ term.number }}.query_id and of_cells.position = place_{{ term.number }}.position
{% endif %}
{% if term.documents %}
left join {{ term.documents }} as own_{{ term.number }}
    on of_cells.query_id = own_{{ term.number }}.query_id and of_cells.doc_id = own_{{ term.number }}.doc_id{% if term.kind == "item-position" %} and of_cells.position = own_{{ term.number }}.position{% endif +%}
{% endif %}
{% endfor %}
