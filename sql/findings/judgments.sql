{% if not labelled %}

    union all

{{ rows_where("null_id", "qrels", judged, missing) }}

    union all

{{ none_where(no_rows, "qrels", judged, none) }}
{% if qrels.weight %}
{% set wrong %}weight is not null and {{ not_finite("weight") }}{% endset %}

    union all

{{ rows_where("bad_weight", "qrels", judged, wrong) }}
{% endif %}
{% endif %}
{% set wrong %}{{ not_finite("relevance") }}{% endset %}

    union all

{{ rows_where("bad_relevance", "qrels", judged, wrong) }}
{% if top_relevance is not none %}
{% set wrong %}relevance > {{ top_relevance | literal }}{% endset %}

    union all

{{ rows_where("above_top", "qrels", judged, wrong) }}
{% endif %}
{% if subtopics %}
{% set wrong %}subtopic is null{% endset %}

    union all

{{ rows_where("null_subtopic", "qrels", judged, wrong) }}
{% endif %}
{% if judgments == "error" and not labelled %}
{% set copies %}{{ document }}{% if subtopics %}, subtopic{% endif %}{% endset %}

    union all

{{ groups_with("qrels_duplicates", "qrels", judged, copies, twice) }}
{% elif judgments == "error" and (several or duplicates != "error") %}
{% set differing %}min(relevance) <> max(relevance){% endset %}

    union all

{{ groups_with("labels_differ", "run", judged, document, differing) }}
{% endif %}
{% for level in levels %}
{% set wrong %}relevance >= {{ level | literal }} or not exists (select 1 from judged where relevance > 0){% endset %}

    union all

{{ none_where(titles.level_unreached, "qrels", judged, wrong) }}
{% endfor %}
{% for most in largest %}
{% set wrong %}relevance > {{ most | literal }}{% endset %}

    union all

{{ rows_where("grade_above_max", "qrels", judged, wrong) }}
{% endfor %}
{% for worth in tables %}
{% set wrong %}relevance > 0 and relevance not in ({% for relevance in worth %}{{ relevance | literal }}{% if not loop.last %}, {% endif %}{% endfor %}){% endset %}

    union all

{{ rows_where("gain_missing", "qrels", agreed_judgments, wrong) }}
{% endfor %}
{% if overflow %}
{% set wrong %}relevance > {{ overflow | literal }}{% endset %}

    union all

{{ rows_where("value_not_finite", "qrels", judged, wrong) }}
{% endif %}
{% if not labelled %}
{% for column in carried.qrels %}

    union all

{{ groups_with("segment_varies", "qrels", judged, query, varied(column), false) }}
{% endfor %}
{% endif %}
{% if emptied and not labelled %}
{% set wrong %}query_id in (select query_id from all_queries) and query_id not in (select query_id from run_rows where query_id is not null){% endset %}

    union all

{{ rows_where("where_emptied", "run", judged, wrong, false) }}
{% endif %}
{% set both %}query_id in (select query_id from judged){% if partition %} or (select count(*) from run_rows) = 0{% endif %}{% endset %}

    union all

{{ none_where(titles.no_shared_query, "run", run_rows, both) }}
