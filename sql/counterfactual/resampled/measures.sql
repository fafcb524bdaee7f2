{# The measures of each replicate, of its terms. #}
with
sizes as (
    select
        replicate,
        cast(sum(times * impressions) as double) as impressions
    from {{ times }}
    group by replicate
)

select
    sizes.replicate{% for measure in measures %},
    ({% for term in measure.terms if not (measure.per and term.totals) %}{% if not loop.first %} + {% endif %}{% if term.scale != 1 %}{{ term.scale | literal }} * {% endif %}coalesce(term_{{ term.number }}{% if term.kind == "shown" %}_shown{% endif %}.value, 0){% endfor %}) / {% if measure.per is none %}sizes.impressions{% else %}term_{{ measure.terms[-1].number }}.value{% endif %} as x_{{ measure.number }}{% endfor +%}
from sizes
{% for term in terms %}
left join {{ term.relation }} as term_{{ term.number }}{% if term.kind == "shown" %}_shown{% endif +%}
    on sizes.replicate = term_{{ term.number }}{% if term.kind == "shown" %}_shown{% endif %}.replicate
{% endfor %}
