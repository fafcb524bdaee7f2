{% from "macros/intervals.sql" import means %}
select
    system,
{% if compared_with is not none %}
    {{ compared_with | literal }} as baseline,
{% endif %}
{% for segment in segments %}
    {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    is_total,
{% endif %}
    metric,
    value{% if ends %},
    queries,
    stderr,
    ci_low,
    ci_high
{% endif %}

from {% if ends %}{{ ends }}{% else %}({{ means(summary, overall if has_overall) }}){% endif %}

where list_contains({{ metrics | literal }}, metric){% if totals %} and is_total{% endif %}

order by
    list_position({{ systems | literal }}, system),
    system,
{% if segments %}
    is_total,
{% endif %}
{% for segment in segments %}
    {{ segment.alias | ident }},
{% endfor %}
    list_position({{ metrics | literal }}, metric)
