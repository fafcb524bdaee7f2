{# Each row of the log with what it counts for in each measure (`x_`), and its weight (`w_`). #}
{% macro counts(term) %}
{%- set earned %}(weighted.reward{% if term.expects %} - weighted.q_{{ term.weighting }}{% endif %}){% endset %}
{%- if term.kind == "shown" %}weighted.reward
{%- elif term.kind == "dm" %}case when weighted.position = weighted.earliest then weighted.e_{{ term.weighting }} else 0 end
{%- else %}
{%- if term.normalised %}coalesce(of_position.rate_{{ term.weighting }} + of_position.places / nullif(of_position.w_{{ term.weighting }}, 0) * weighted.w_{{ term.weighting }} * ({{ earned }} - of_position.rate_{{ term.weighting }}), 0)
{%- else %}weighted.w_{{ term.weighting }} * {{ earned }}
{%- endif %}
{%- if term.expects %} + weighted.v_{{ term.weighting }} * weighted.e_{{ term.weighting }}{% endif %}
{%- endif %}
{%- endmacro %}
select
    weighted.impression_id,
{% if unit %}
    weighted.{{ unit | ident }},
{% endif %}
{% for measure in measures %}
    {%+ for term in measure.terms %}{% if not loop.first %} + {% endif %}{% if term.scale != 1 %}{{ term.scale | literal }} * {% endif %}({{ counts(term) }}){% endfor %} as x_{{ measure.number }},
{% if measure.weighs %}
    weighted.w_{{ measure.terms[0].weighting }} as w_{{ measure.number }},
{% endif %}
{% if measure.balances %}
    weighted.raw_{{ measure.terms[0].weighting }} as g_{{ measure.number }},
{% endif %}
{% endfor %}
    weighted.places
from {{ weighted }} as weighted
inner join {{ by_position }} as of_position on weighted.position = of_position.position
