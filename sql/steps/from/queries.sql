{% from "macros/keys.sql" import one_ranking, with_ideal with context %}
from {{ rows | ident }}
left join scored on {{ one_ranking(rows, "scored") }}
{% for ideal in ideals %}
{{ with_ideal(rows, ideal) }}
{% endfor %}
