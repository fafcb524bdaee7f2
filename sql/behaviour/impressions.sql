{# What estimates read: each document once in its impression, at its place in the whole list from 1, and whether what is
   taken for a click happened; `plain` adds whether it was clicked, whatever that is. #}
{% from "macros/logs.sql" import folded, is_chosen_order %}
{% set place %}{% if page_size %}(page - 1) * {{ page_size }} + {% endif %}position
{%- if bases %} + case cast(application as {{ text }}){% for application, base in bases %} when {{ application | literal }} then {{ 1 - base }}{% endfor %} else 0 end
{%- elif base != 1 %} + {{ 1 - base }}{% endif %}{% endset %}
{% set happened %}
{% if signal.kind == "dwell" %}case when clicked = 1 and (dwell >= {{ signal.least | literal }} or (dwell is null and position = last_click)) then 1 else 0 end
{%- elif signal.kind == "best" %}case when {% if "purchase" in columns %}purchase = 1 or {% endif %}{% if "cart" in columns %}cart = 1 or {% endif %}clicked = 1 then 1 else 0 end
{%- else %}{{ signal.kind | ident }}{% endif %}
{% endset %}
{% set grade %}case{% if "purchase" in columns %} when purchase = 1 then 3{% endif %}{% if "cart" in columns %} when cart = 1 then 2{% endif %} when clicked = 1 then 1 else 0 end{% endset %}
{% set conditions = [] %}
{% if "is_ad" in columns %}{% set condition %}is_ad = 0{% endset %}{% set _ = conditions.append(condition) %}{% endif %}
{% if "seen" in columns %}{% set condition %}seen = 1{% endset %}{% set _ = conditions.append(condition) %}{% endif %}
{% if "sort" in columns and not sorted_too %}{% set condition %}not {{ is_chosen_order() }}{% endset %}{% set _ = conditions.append(condition) %}{% endif %}
{% if depth %}{% set condition %}{{ place }} <= {{ depth }}{% endset %}{% set _ = conditions.append(condition) %}{% endif %}
{% if without_bots and "is_bot" in columns %}{% set condition %}is_bot = 0{% endset %}{% set _ = conditions.append(condition) %}{% endif %}
{% if without_bots and bots %}{% set condition %}(user_id is null or user_id not in (select bots.user_id from {{ bots }} as bots)){% endset %}{% set _ = conditions.append(condition) %}{% endif %}
{% set query %}{% if fold %}{{ folded("query_id") }}{% else %}query_id{% endif %}{% endset %}
select
    impression_id,
    {%+ if collapse %}min({{ query }}) as query_id{% elif fold %}{{ query }} as query_id{% else %}query_id{% endif %},
    doc_id,
    {%+ if collapse %}min({{ place }}){% else %}{{ place }}{% endif %} as position,
{% for column in carried %}
    {%+ if collapse %}{% if column in marks %}max{% else %}min{% endif %}({{ column | ident }}) as {% endif %}{{ column | ident }},
{% endfor %}
{% if plain %}
    {%+ if collapse %}max(clicked){% else %}clicked{% endif %} as was_clicked,
{% endif %}
{% if signal.kind == "best" %}
    {%+ if collapse %}max({{ grade }}){% else %}{{ grade }}{% endif %} as grade,
{% endif %}
    {%+ if collapse %}max({{ happened | trim }}){% else %}{{ happened | trim }}{% endif %} as clicked
from {% if signal.kind == "dwell" %}(
    select
        impression_id,
        query_id,
        doc_id,
        position,
{% for column in read %}
        {{ column | ident }},
{% endfor %}
        dwell,
        clicked,
        max(case when clicked = 1 then position end) over (partition by impression_id) as last_click
    from {{ log }}
) as with_last_click{% else %}{{ log }}{% endif +%}
{% for condition in conditions %}
{%+ if loop.first %}where{% else %}    and{% endif %} {{ condition }}
{% endfor %}
{% if collapse %}
group by impression_id, doc_id
{% endif %}
