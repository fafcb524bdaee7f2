{% from "macros/letor.sql" import document_of, is_row, lines_of, query_of %}
{# The rows of files of LETOR, in their order. #}
(
{% for file in files %}
    select
        {%+ if file.sizes %}cast(groups.query_id as varchar){% else %}{{ query_of() }}{% endif %} as query_id,
        {{ document_of(ids) | trim }} as doc_id,
        regexp_extract(line, '^(\S+)', 1) as relevance
    from (
        select *
        from (
            {{ lines_of(file.lines | trim) | indent | indent | indent }}
        )
        where {{ is_row() }}
    )
{% if file.sizes %}
    positional join (
        select
            query_id,
            unnest(range(size))
        from (
            select
                row_number() over () as query_id,
                cast(line as bigint) as size
            from {{ file.sizes | trim | indent | indent | indent }}
            where trim(line, E' \t\r') <> ''
        )
    ) as groups
{% endif %}
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
)
