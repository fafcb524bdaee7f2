{% from "macros/ranking.sql" import above_least, less, most_of, places_to %}
{% if places %}
-- the places of a ranking of {{ places }} documents
place_numbers as (
    {{ places_to(places) }}
),

{% set above -%}
over (
            partition by {%+ if several %}query_rows.system, {% endif %}query_rows.query_id
            order by place_numbers.place
            rows between unbounded preceding and 1 preceding
        )
{%- endset %}
-- every place of every ranking, with what stands there
place_rows{% if views %}_of_grades{% endif %} as (
    select
{% if several %}
        query_rows.system as system,
{% endif %}
        query_rows.query_id as query_id,
        place_numbers.place as place,
{% for scale in scales %}
        coalesce(retrieved.{{ scale.place_grade | ident }}, 0) as {{ scale.place_grade | ident }},
{% if scale.reached %}
        (1 - coalesce(max(case when retrieved.{{ scale.place_grade | ident }} >= 1 then 1 else 0 end) {{ above }}, 0))
        * exp(coalesce(sum(case when retrieved.{{ scale.place_grade | ident }} < 1 then ln(1 - retrieved.{{ scale.place_grade | ident }}) else 0 end) {{ above }}, 0)) as {{ scale.reached | ident }},
{% endif %}
{% if scale.grade_above %}
        coalesce(sum({{ above_least(scale.min, scale.max) }}) {{ above }}, 0)
        / nullif({{ less(most_of(scale.max), scale.min) }}, 0) as {{ scale.grade_above | ident }},
{% endif %}
{% endfor %}
        cast(1 as {{ double }}) as every_place
    from query_rows
    cross join place_numbers
{% if scales %}
    left join retrieved
        on
            query_rows.query_id = retrieved.query_id
{% if several %}
            and query_rows.system = retrieved.system
{% endif %}
            and place_numbers.place = retrieved.rank
{% endif %}
{% if scaled %}
    cross join scale_rows
{% endif %}
),

{% if views %}
{% set above -%}
over (
            partition by {{ keys }}
            order by place
            rows between unbounded preceding and 1 preceding
        )
{%- endset %}
-- the same with the chance that each place is viewed by a user who adapts
place_rows as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        place,
{% for scale in scales %}
{% for name in [scale.place_grade, scale.reached, scale.grade_above] %}
{% if name %}
        {{ name | ident }},
{% endif %}
{% endfor %}
{% endfor %}
{% for view in views %}
        exp(coalesce(sum(2 * ln(
            (place - 1.0 + {{ (2 * view.t) | literal }} - {{ view.grade_above | ident }} - {{ view.place_grade | ident }})
            / (place + {{ (2 * view.t) | literal }} - {{ view.grade_above | ident }} - {{ view.place_grade | ident }})
        )) {{ above }}, 0)) as {{ view.inst_view | ident }},
{% endfor %}
        every_place
    from place_rows_of_grades
),

{% endif %}
{% endif %}
