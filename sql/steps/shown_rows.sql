{% from "macros/keys.sql" import keys_of with context %}
{% from "macros/steps.sql" import made_in with context %}
-- the first documents of every ranking, judged or not
shown_rows as (
    select
        {{ keys_of("ranked") }},{{ made_in("shown_rows") }}
        ranked.rank as place
    from ranked
{% for join in joins.shown_rows %}
{% include join %}
{% endfor %}
{% if showing or last_depth %}
    where {% if showing %}ranked.rank <= {{ showing }}{% endif %}{% if showing and last_depth %} and {% endif %}{% if last_depth %}ranked.rank <= {{ last_depth }}{% endif +%}
{% endif %}
),
