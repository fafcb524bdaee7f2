{% from "macros/created.sql" import created %}
{{ created(name) }} as
{{ statement }}
