{% if items %}
{% call rows_where("null_id", "items", "item_rows", queries=false) %}doc_id is null{% endcall %}
{% call none_where(no_rows, "items", "item_rows") %}{% endcall %}
{% if of_items %}
{% call groups_with("items_duplicates", "items", "item_rows", ["doc_id"], queries=false) %}{% endcall %}
{% endif %}
{% if "length" in of_items %}
{% call rows_where("bad_length", "items", "item_rows", queries=false) %}length is not null and ({{ not_finite("length") }} or length < 0){% endcall %}
{% endif %}
{% if "vector" in of_items %}
{% set squares %}list_sum([number * number for number in vector]){% endset %}
{% call rows_where("bad_vector", "items", "item_rows", queries=false) %}vector is not null and coalesce(not isfinite({{ squares }}) or {{ squares }} = 0 or list_count(vector) < len(vector), true){% endcall %}
{% call none_where(titles.vectors_differ, "items", "item_rows") %}(select count(distinct len(vector)) from item_rows) <= 1{% endcall %}
{% endif %}
{% for role in of_items if role != "category" %}
{% call rows_where("item_lacks", "run", "run_rows") %}doc_id not in (select doc_id from item_rows where doc_id is not null and {{ role | ident }} is not null){% endcall %}
{% endfor %}
{% endif %}
{% if history %}
{% call rows_where("null_id", "history", "history_rows") %}{{ missing }}{% endcall %}
{% call none_where(no_rows, "history", "history_rows") %}{% endcall %}
{% endif %}
{% if baseline %}
{% call rows_where("null_id", "baseline", "baseline_rows") %}{{ missing }}{% endcall %}
{% call none_where(no_rows, "baseline", "baseline_rows") %}{% endcall %}
{% call rows_where("bad_score", "baseline", "baseline_rows") %}{{ not_finite("score") }}{% endcall %}
{% call groups_with("baseline_duplicates", "baseline", "baseline_rows", ["query_id", "doc_id"]) %}{% endcall %}
{% if ties == "number-desc" %}
{% call rows_where("id_not_a_number", "baseline", "baseline_rows") %}{{ no_number }}{% endcall %}
{% endif %}
{% endif %}
