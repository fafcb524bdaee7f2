{{ rows_where("null_id", "run", run_rows, missing) }}

    union all

{% if order == "rank" %}
{% set wrong %}{{ not_finite("score") }} or score < 1 or score <> floor(score){% endset %}
{{ rows_where("rank_not_whole", "run", run_rows, wrong) }}
{% set place %}{{ ranking }}, score{% endset %}

    union all

{{ groups_with("rank_repeated", "run", run_rows, place, twice) }}
{% else %}
{% set wrong %}{{ not_finite("score") }}{% endset %}
{{ rows_where("bad_score", "run", run_rows, wrong) }}
{% endif %}
{% if ties == "rank" %}
{% set wrong %}{{ not_finite("given_rank") }}{% endset %}

    union all

{{ rows_where("rank_not_whole", "run", run_rows, wrong) }}
{% elif ties == "number-desc" %}

    union all

{{ rows_where("id_not_a_number", "run", run_rows, no_number) }}
{% endif %}
{% if duplicates == "error" %}
{% set copies %}{{ ranking }}, doc_id{% endset %}

    union all

{{ groups_with("run_duplicates", "run", run_rows, copies, twice) }}
{% endif %}
{% for column in carried.run %}

    union all

{{ groups_with("segment_varies", "run", run_rows, query if column in described.run else ranking, varied(column), false) }}
{% endfor %}
{% if run.weight %}
{% set wrong %}weight is not null and {{ not_finite("weight") }}{% endset %}

    union all

{{ rows_where("bad_weight", "run", run_rows, wrong) }}
{% endif %}
{% if not partition %}

    union all

{{ none_where(no_rows, "run", run_rows, none) }}
{% endif %}
