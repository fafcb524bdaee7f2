{# What the tests share. dbt before 1.10.5 hands on `arguments` as it stands, which each of them takes for that. #}

{# A finite number that a test is given. #}
{% macro finite(name, given) %}
    {% set number = none if given is boolean else given | float(none) %}
    {% if number is none or number - number != 0 %}
        {% do exceptions.raise_compiler_error('sqlrank: ' ~ name ~ '=' ~ given ~ ' is not a finite number') %}
    {% endif %}
    {% do return(number) %}
{% endmacro %}

{# The column of systems, a name that Redshift reserves. #}
{% macro system() %}{% do return('"system"' if target.type == 'redshift' else 'system') %}{% endmacro %}

{# A text as a literal. #}
{% macro text(value) %}{% do return("'" ~ dbt.escape_single_quotes(value | string) ~ "'") %}{% endmacro %}

{# The rows of a summary that are of one metric; of a column of partitions the one that is asked
   for, or those that this invocation of dbt built, or the last. #}
{% macro rows_of(model, metric, partition, built=none) %}
    select *
    from {{ model }}
    where metric = {{ sqlrank.text(metric) }}
{% if partition and var('sqlrank_partition', none) is not none %}
        and cast({{ partition }} as {{ dbt.type_string() }}) = {{ sqlrank.text(var('sqlrank_partition')) }}
{% elif partition %}
        and (
            {{ partition }} = (select max({{ partition }}) from {{ model }})
{% if built %}
            and not exists (select 1 from {{ model }} where {{ built }} = '{{ invocation_id }}')
            or {{ built }} = '{{ invocation_id }}'
{% endif %}
        )
{% endif %}
{% endmacro %}
