{% if asked.relation %}
{% set wrong %}query_id is null{% endset %}

    union all

{{ rows_where("null_id", "queries", asked_rows, wrong, false) }}

    union all

{{ none_where(no_rows, "queries", asked_rows, none) }}
{% if asked.weight %}
{% set wrong %}weight is not null and {{ not_finite("weight") }}{% endset %}

    union all

{{ rows_where("bad_weight", "queries", asked_rows, wrong, false) }}
{% endif %}
{% endif %}
{% if weighted %}
{% set wrong %}weight is null or weight < 0{% endset %}

    union all

{{ rows_where("weight_missing", "queries" if asked.relation else "run", weighed_rows, wrong, false) }}
{% endif %}
{% if asked.relation %}

    union all

{{ groups_with("queries_duplicates", "queries", asked_rows, query, twice, false) }}
{% endif %}
