{# The measures of each replicate, of its terms. #}
with
sizes as (
    select
        replicate,
        cast(sum(times * impressions) as double) as impressions
    from {{ times }}
    group by replicate
){% if corrected %},

totals as (
    select
        replicate,
        sum(corrected) as corrected
    from {{ documents }}
    group by replicate
)
{% endif +%}
select
    sizes.replicate{% for measure in measures %},
    ({% for term in measure.terms %}{% if not loop.first %} - {% endif %}coalesce(term_{{ term.number }}{% if term.kind == "shown" %}_shown{% endif %}.value, 0){% endfor %}) / {% if measure.per is none %}sizes.impressions{% else %}totals.corrected{% endif %} as x_{{ measure.number }}{% endfor +%}
from sizes
{% if corrected %}
inner join totals on sizes.replicate = totals.replicate
{% endif %}
{% for term in terms %}
left join {{ term.relation }} as term_{{ term.number }}{% if term.kind == "shown" %}_shown{% endif %}
    on sizes.replicate = term_{{ term.number }}{% if term.kind == "shown" %}_shown{% endif %}.replicate
{% endfor %}
