{% from "macros/interleaving.sql" import value_of %}
{{ value_of(weights) }}
