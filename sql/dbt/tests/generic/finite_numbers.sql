{# Every score or relevance is a number: the rows that hold infinity or NaN. One that is null counts nowhere. #}
{% test finite_numbers(model, column_name) %}
{% set number = 'cast(' ~ column_name ~ ' as ' ~ sqlrank.dialect().double ~ ')' %}
select *
from {{ model }}
where {{ number }} - {{ number }} <> 0
{% endtest %}
