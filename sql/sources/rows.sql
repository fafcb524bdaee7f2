{% from "macros/intervals.sql" import means %}
select
    summed.system,
{% if compared_with is not none %}
    {{ compared_with | literal }} as baseline,
{% endif %}
{% for segment in segments %}
    summed.{{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    summed.is_total,
{% endif %}
    summed.metric,
    summed.value{% if ends %},
    summed.queries,
    summed.stderr,
{% if uncertain %}
    summed.label_stderr,
{% endif %}
    summed.ci_low,
    summed.ci_high{% if bounds %},
    case when upper.value is not null then summed.value end as bound_low,
    upper.value as bound_high
{% endif %}
{% endif %}

from {% if ends %}{{ ends }}{% else %}({{ means(summary, overall if has_overall) }}){% endif %} as summed
{% if ends and bounds %}
left join {{ bounds }} as upper
    on
        summed.system = upper.system
        and summed.metric = upper.metric
{% for segment in segments %}
        and summed.{{ segment.alias | ident }} is not distinct from upper.{{ segment.alias | ident }}
{% endfor %}
{% if segments %}
        and summed.is_total = upper.is_total
{% endif %}
{% endif %}

where list_contains({{ metrics | literal }}, summed.metric){% if totals %} and summed.is_total{% endif +%}
order by
    list_position({{ systems | literal }}, summed.system),
    summed.system,
{% if segments %}
    summed.is_total,
{% endif %}
{% for segment in segments %}
    summed.{{ segment.alias | ident }},
{% endfor %}
    list_position({{ metrics | literal }}, summed.metric)
