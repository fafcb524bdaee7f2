{% from "macros/stacks.sql" import stacked with context %}
{# Only what these rows hold goes through the windows, which copy it. #}
-- the documents found, and the ideal rankings place by place
place_by_place as (
{{ stacked(by_place) }}),
-- the same with the sums of both rankings down to each place
cumulated as (
    select
        {{ keys }},
{% for column in by_place.columns %}
        {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.step == "cumulated" %}
        {{ column.text }} as {{ column.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from place_by_place
{% for join in joins.cumulated %}
{% include join %}
{% endfor %}
),
