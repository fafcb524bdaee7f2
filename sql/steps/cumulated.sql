{% if cumulations %}
{% set window -%}
over (
            partition by {{ keys }}
            order by place
            range between unbounded preceding and current row
        )
{%- endset %}
-- the same with the sums of both rankings down to each place
cumulated as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
{% for segment in segments %}
        {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
        weight,
{% endif %}
{% if diagnostics %}
        tied,
{% endif %}
{% for column in columns %}
        {{ column.name | ident }},
{% endfor %}
{% for sum in cumulations %}
{% if sum.kind == "gain_so_far" %}
        sum({{ sum.gain | ident }}) {{ window }} as {{ sum.name | ident }},
{% elif sum.kind == "ideal_cost_so_far" %}
        place + sum(case when {{ sum.ideal_gain | ident }} > 1 then {{ sum.ideal_gain | ident }} - 1 else 0 end) {{ window }} as {{ sum.name | ident }},
{% elif sum.kind == "dcg_so_far" %}
        sum({{ sum.gain | ident }} * {{ sum.discount | ident }}) {{ window }} as {{ sum.name | ident }},
{% else %}
        sum({{ sum.ideal_gain | ident }} * {{ sum.discount | ident }}) {{ window }} as {{ sum.name | ident }},
{% endif %}
{% endfor %}
        place
    from observations
),

{% endif %}
