{# The metrics of a query as columns, of their expressions line by line. #}
{% macro values_of(measures, empty_value=none) %}
{% for measure in measures %}
{% if measure.weight %}
    {%+ for column in measure.weighed %}sum({{ column.value }}){% if not loop.last %} + {% endif %}{% endfor %} as {{ measure.weight | ident }},
{% endif %}
{% if measure.empty %}
    case
        when {% for column in measure.empty %}{{ column.total }} = 0{% if not loop.last %} or {% endif %}{% endfor %} then {{ empty_value | literal }}
        else coalesce(
{% for line in measure.lines %}
            {{ line }}{% if loop.last %},{% endif %}

{% endfor %}
            {{ measure.nothing | literal }}
        )
    end as {{ measure.column | ident }}{% if not measure.last %},{% endif %}

{% elif measure.bare %}
{% for line in measure.lines %}
    {{ line }}{% if loop.last %} as {{ measure.column | ident }}{% if not measure.last %},{% endif %}{% endif %}

{% endfor %}
{% else %}
    coalesce(
{% for line in measure.lines %}
        {{ line }}{% if loop.last %}, {{ measure.nothing | literal }}{% endif %}

{% endfor %}
    ) as {{ measure.column | ident }}{% if not measure.last %},{% endif %}

{% endif %}
{% endfor %}
{% endmacro %}
