{# Each row of the log with its weight under each candidate (`w_`), as it counts and as it is (`raw_`); where rewards are
   expected, with that of the document (`q_`), that of the candidate from its place on (`e_`), and the weight of those above. #}
{% macro weight(each) %}
{%- if each.transform == "clip" %}least(raw_{{ each.number }}, {{ clip | literal }})
{%- elif each.transform == "switch" %}case when raw_{{ each.number }} <= {{ clip | literal }} then raw_{{ each.number }} else 0 end
{%- elif each.transform == "shrink" %}{{ clip | literal }} * raw_{{ each.number }} / (raw_{{ each.number }} * raw_{{ each.number }} + {{ clip | literal }})
{%- else %}raw_{{ each.number }}
{%- endif %}
{%- endmacro %}
select
    impression_id,
{% if unit %}
    {{ unit | ident }},
{% endif %}
    position,
    reward,
{% if expects %}
    earliest,
{% endif %}
{% for each in weightings %}
    raw_{{ each.number }},
    {{ weight(each) }} as w_{{ each.number }},
{% if each.expects %}
    q_{{ each.number }},
    e_{{ each.number }},
    coalesce(lag({{ weight(each) }}) over (partition by impression_id order by position asc), 1) as v_{{ each.number }},
{% endif %}
{% endfor %}
    1 as places
from (
    select
        chosen.impression_id,
{% if unit %}
        chosen.{{ unit | ident }},
{% endif %}
        chosen.position,
        chosen.reward,
{% if expects %}
        min(chosen.position) over (partition by chosen.impression_id) as earliest,
{% endif %}
{% for each in weightings %}
        chosen.{{ (each.share ~ "_" ~ each.place) | ident }} / chosen.{{ each.propensity | ident }} as raw_{{ each.number }}{% if each.expects %},
        expected.expected as q_{{ each.number }},
        coalesce(prospects_{{ each.number }}.prospect, 0) as e_{{ each.number }}{% endif %}{% if not loop.last %},{% endif +%}
{% endfor %}
    from {{ chosen }} as chosen
{% if expects %}
    left join {{ expected }} as expected
        on cast(chosen.doc_id as varchar) = expected.doc_id and chosen.half = expected.half
            {%+ if with_query %}and cast(chosen.query_id as varchar) = expected.query_id{% endif %}{% if with_position %} and chosen.position = expected.position{% endif +%}
{% for each in weightings %}
{% if each.expects %}
    left join {{ prospects }} as prospects_{{ each.number }}
        on prospects_{{ each.number }}.system = {{ each.system | literal }}
            and cast(chosen.{{ ("impression_id" if by_impression else "query_id") | ident }} as varchar) = prospects_{{ each.number }}.key
            and chosen.position = prospects_{{ each.number }}.position and chosen.half = prospects_{{ each.number }}.half
{% endif %}
{% endfor %}
{% endif %}
) as raw
