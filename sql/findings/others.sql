{% if items %}
{% set wrong %}doc_id is null{% endset %}

    union all

{{ rows_where("null_id", "items", item_rows, wrong, true, false) }}

    union all

{{ none_where(no_rows, "items", item_rows, none) }}
{% if categories %}
{% set copies %}doc_id{% endset %}

    union all

{{ groups_with("items_duplicates", "items", item_rows, copies, twice, true, false) }}
{% endif %}
{% endif %}
{% if history %}

    union all

{{ rows_where("null_id", "history", history_rows, missing) }}

    union all

{{ none_where(no_rows, "history", history_rows, none) }}
{% endif %}
{% if baseline %}
{% set wrong %}{{ not_finite("score") }}{% endset %}

    union all

{{ rows_where("null_id", "baseline", baseline_rows, missing) }}

    union all

{{ none_where(no_rows, "baseline", baseline_rows, none) }}

    union all

{{ rows_where("bad_score", "baseline", baseline_rows, wrong) }}

    union all

{{ groups_with("baseline_duplicates", "baseline", baseline_rows, document, twice) }}
{% if ties == "number-desc" %}

    union all

{{ rows_where("id_not_a_number", "baseline", baseline_rows, no_number) }}
{% endif %}
{% endif %}
