{# What the rows of a log say. #}

{# A query without what tells writings of one apart: case, and blanks around it. #}
{% macro folded(column) %}lower(trim(cast({{ column | ident }} as {{ text }}))){% endmacro %}

{# Whether the user chose the order of a list, which then is no ranking of the system. #}
{% macro is_chosen_order() -%}
(sort is not null and lower(trim(cast(sort as {{ text }}))) not in ('', 'relevance', 'relevancy', 'default', 'score', '_score', 'best', 'best_match', 'bestmatch', 'none', 'null', 'false', '0'))
{%- endmacro %}

{# The day of a time: a date or a timestamp, ISO in a text, or seconds, milliseconds or microseconds since 1970. #}
{% macro time_of(column) -%}
coalesce(
            try_cast(cast({{ column | ident }} as varchar) as timestamp),
            make_timestamp(cast(try_cast(cast({{ column | ident }} as varchar) as double) * case
                when abs(try_cast(cast({{ column | ident }} as varchar) as double)) < 1e11 then 1e6
                when abs(try_cast(cast({{ column | ident }} as varchar) as double)) < 1e14 then 1e3
                else 1
            end as bigint))
        )
{%- endmacro %}
{% macro day_of_time(column) %}cast({{ time_of(column) }} as date){% endmacro %}

{# A count with what a prior adds to it, where it adds anything. #}
{% macro with_prior(column, number) %}{% if number %}({{ column | ident }} + {{ number | literal }}){% else %}{{ column | ident }}{% endif %}{% endmacro %}

{# Whether an event is one of some actions, whose names are in small letters. #}
{% macro is_action(names) %}lower(cast(events.action as varchar)) in {{ names | literal }}{% endmacro %}

{# 1 or 0 for what a column says of whether something happened: as a boolean, its words, or how often it did. #}
{% macro mark_of(column) %}
case lower(cast({{ column | ident }} as {{ text }}))
            when 'true' then 1
            when 't' then 1
            when 'false' then 0
            when 'f' then 0
            else case when cast(cast({{ column | ident }} as {{ text }}) as {{ double }}) > 0 then 1 else 0 end
        end
{%- endmacro %}
