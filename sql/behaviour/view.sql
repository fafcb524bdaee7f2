{% from "macros/created.sql" import created %}
{{ created(name, false) }} as
{{ statement }}
