{% if asked.relation %}
{% call rows_where("null_id", "queries", "asked", false) %}query_id is null{% endcall %}
{% call none_where(no_rows, "queries", "asked") %}{% endcall %}
{% if asked.weight %}
{% call rows_where("bad_weight", "queries", "asked", false) %}weight is not null and {{ not_finite("weight") }}{% endcall %}
{% endif %}
{% endif %}
{% if weighted %}
{% call rows_where("weight_missing", "queries" if asked.relation else "run", "weighed", false) %}weight is null or weight < 0{% endcall %}
{% endif %}
{% if asked.relation %}
{% call groups_with("queries_duplicates", "queries", "asked", ["query_id"], false) %}{% endcall %}
{% endif %}
