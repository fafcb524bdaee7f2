{# A total of the documents or the query of a pair, for the counts next to the numbers. #}
{% from "macros/ranking.sql" import at, of_query, total %}
{% if column.name == "shared" %}{{ total(at(column)) }}{% else %}{{ of_query(column) }}{% endif %}
