{% set worths = "judged" if judgments == "error" else "agreed_judgments" %}
{% if not labelled %}
{% call rows_where("null_id", "qrels", "judged") %}{{ missing }}{% endcall %}
{% call none_where(no_rows, "qrels", "judged") %}{% endcall %}
{% if qrels.weight %}
{% call rows_where("bad_weight", "qrels", "judged") %}weight is not null and {{ not_finite("weight") }}{% endcall %}
{% endif %}
{% endif %}
{% call rows_where("bad_relevance", "qrels", "judged") %}{{ not_finite("relevance") }}{% endcall %}
{% if top_relevance is not none %}
{% call rows_where("above_top", "qrels", "judged") %}relevance > {{ top_relevance | literal }}{% endcall %}
{% endif %}
{% if subtopics %}
{% call rows_where("null_subtopic", "qrels", "judged") %}subtopic is null{% endcall %}
{% endif %}
{% if item_weights %}
{% call rows_where("bad_item_weight", "qrels", "judged") %}{{ not_finite("item_weight") }} or item_weight < 0 or item_weight > 1e100{% endcall %}
{% call rows_where("zero_item_weight", "qrels", "judged") %}item_weight = 0{% endcall %}
{% call groups_with("item_weights_differ", "qrels", "judged", ["query_id", "doc_id"]) %}min(item_weight) <> max(item_weight){% endcall %}
{% endif %}
{% if judgments == "error" and not labelled and not parted %}
{% call groups_with("qrels_duplicates", "qrels", "judged", ["query_id", "doc_id"] + (["subtopic"] if subtopics else [])) %}{% endcall %}
{% elif judgments == "error" and (parted or several or copies != "error") %}
{% call groups_with("labels_differ", "run", "judged", ["query_id", "doc_id"]) %}min(relevance) <> max(relevance){% endcall %}
{% endif %}
{% for level in levels %}
{% call none_where(titles.level_unreached, "qrels", "judged") %}relevance >= {{ level | literal }} or not exists (select 1 from judged where relevance > 0){% endcall %}
{% endfor %}
{% for most in largest %}
{% call rows_where("grade_above_max", "qrels", "judged") %}relevance > {{ most | literal }}{% endcall %}
{% endfor %}
{% if of_chances %}
{% call rows_where("not_a_probability", "qrels", "judged") %}relevance > 1{% endcall %}
{% endif %}
{% for worth in tables %}
{% call rows_where("gain_missing", "qrels", worths) %}relevance > 0 and relevance not in ({% for relevance in worth %}{{ relevance | literal }}{% if not loop.last %}, {% endif %}{% endfor %}){% endcall %}
{% endfor %}
{% if overflow %}
{% call rows_where("value_not_finite", "qrels", "judged") %}relevance > {{ overflow | literal }}{% endcall %}
{% endif %}
{% if not labelled %}
{% for column in carried.qrels %}
{% call groups_with("segment_varies", "qrels", "judged", ["query_id"], false) %}{{ varied(column) }}{% endcall %}
{% endfor %}
{% endif %}
{% if emptied and not labelled %}
{% call rows_where("where_emptied", "run", "judged", false) %}query_id in (select query_id from all_queries) and query_id not in (select query_id from run_rows where query_id is not null){% endcall %}
{% endif %}
{% call rows_where("no_shared_query", "run", "run_rows", false) %}not exists (
        select 1
        from run_rows as any_rows
        where any_rows.query_id in (select judged.query_id from judged)
    ){% endcall %}
