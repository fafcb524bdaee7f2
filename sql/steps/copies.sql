{% if duplicates != "error" %}
-- documents that stand more than once in a ranking, numbered from the one that counts
copies as (
    select
        {{ keys }},
        doc_id,
        score,
{% if ties == "rank" %}
        given_rank,
{% elif ties == "input" %}
        input_order,
{% endif %}
        row_number() over (
            partition by {{ keys }}, doc_id
            order by {% if duplicates == "first" %}input_order{% else %}score {{ direction }}{% if ties == "rank" %}, given_rank asc{% elif ties == "input" %}, input_order asc{% endif %}{% endif %}

        ) as copy
    from run_rows
),
{% endif %}
