{% call rows_where("null_id", "run", "run_rows", first=true) %}{{ missing }}{% endcall %}
{% if several %}
{% call rows_where("null_system", "run", "run_rows") %}system is null{% endcall %}
{% endif %}
{% if order == "rank" %}
{% call rows_where("rank_not_whole", "run", "run_rows") %}{{ not_finite("score") }} or score < 1 or score <> floor(score){% endcall %}
{% call groups_with("rank_repeated", "run", "run_rows", ranking + ["score"]) %}{% endcall %}
{% else %}
{% call rows_where("bad_score", "run", "run_rows") %}{{ not_finite("score") }}{% endcall %}
{% endif %}
{% if ties == "rank" %}
{% call rows_where("rank_not_whole", "run", "run_rows") %}{{ not_finite("given_rank") }}{% endcall %}
{% elif ties == "number-desc" %}
{% call rows_where("id_not_a_number", "run", "run_rows") %}{{ no_number }}{% endcall %}
{% endif %}
{% if copies == "error" %}
{% call groups_with("run_duplicates", "run", "run_rows", ranking + ["doc_id"]) %}{% endcall %}
{% endif %}
{% for column in carried.run %}
{% call groups_with("segment_varies", "run", "run_rows", ["query_id"] if column in described.run else ranking, false) %}{{ varied(column) }}{% endcall %}
{% endfor %}
{% if run.weight %}
{% call rows_where("bad_weight", "run", "run_rows") %}weight is not null and {{ not_finite("weight") }}{% endcall %}
{% endif %}
{% if partition %}

    union all

    select
        {{ no_partition | literal }} as finding,
        'run' as input,
        count(*) as findings,
        cast(null as {{ text }}) as query_id,
        cast(null as {{ text }}) as doc_id
    from {{ partition.relation }} as every_row
    where every_row.{{ partition.column | ident }} is null{% if partition.where and not partition.made %} and ({{ partition.where }}){% endif +%}
{% else %}
{% call none_where(no_rows, "run", "run_rows") %}{% endcall %}
{% endif %}
