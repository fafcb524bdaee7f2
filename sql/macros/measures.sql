{# The metrics of a query as columns, of their expressions line by line. #}
{% macro values_of(measures, empty_value=none) %}
{% for measure in measures %}
{% set whole = typed or measure.nothing is string %}
{% set opened %}{% if not whole %}cast({% endif %}{% endset %}
{% set closed %}{% if not whole %} as {{ double }}){% endif %}{% endset %}
{% if measure.weight %}
    {%+ for line in measure.weighed %}{{ line }}{% if not loop.last %} {% endif %}{% endfor %} as {{ measure.weight | ident }},
{% endif %}
{% if measure.empty %}
    {{ opened }}case
        when {% for column in measure.empty %}{{ column.total }} = 0{% if not loop.last %} or {% endif %}{% endfor %} then {{ empty_value | literal }}
        else coalesce(
{% for line in measure.lines %}
            {{ line }}{% if loop.last %},{% endif +%}
{% endfor %}
            {{ measure.nothing | literal }}
        )
    end{{ closed }} as {{ measure.column | ident }}{% if not measure.last %},{% endif +%}
{% elif measure.bare %}
{% for line in measure.lines %}
    {%+ if loop.first %}{{ opened }}{% endif %}{{ line }}{% if loop.last %}{{ closed }} as {{ measure.column | ident }}{% if not measure.last %},{% endif %}{% endif +%}
{% endfor %}
{% elif measure.lines | length == 1 %}
    {{ opened }}coalesce({{ measure.lines[0] }}, {{ measure.nothing | literal }}){{ closed }} as {{ measure.column | ident }}{% if not measure.last %},{% endif +%}
{% else %}
    {{ opened }}coalesce(
{% for line in measure.lines %}
        {{ line }}{% if loop.last %}, {{ measure.nothing | literal }}{% endif +%}
{% endfor %}
    ){{ closed }} as {{ measure.column | ident }}{% if not measure.last %},{% endif +%}
{% endif %}
{% endfor %}
{% endmacro %}

{# The queries that meet a condition, of the first measure of which any do: `caller` writes further columns, and the rows. #}
{% macro of_first(measures, columns) %}
select
    query_id,
    measure,
{% for name in columns %}
    {{ name | ident }}{% if not loop.last %},
{% endif %}
{% endfor %}

from (
    select
        *,
        min(place) over () as first_place
    from (
{% for measure in measures %}
        select
            {{ loop.index }} as place,
            query_id,
            {{ measure.text | literal }} as measure,
            {{ caller(measure) | trim | indent | indent }}
{% if not loop.last %}

        union all

{% endif %}
{% endfor %}
    ) as found
) as numbered
where place = first_place
{%- endmacro %}
