{# Every score or relevance is a number: the rows that hold infinity or NaN. One that is null counts nowhere. #}
{% test finite_numbers(model, column_name) %}
select *
from {{ model }}
where {{ column_name }} - {{ column_name }} <> 0
{% endtest %}
