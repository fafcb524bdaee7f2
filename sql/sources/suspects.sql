{# Marks that are equal need not be those of one document, but those of one document are equal; a document without id has
   the mark of null. #}
{% from "macros/values.sql" import absent %}
{% if listed %}
select distinct cast(query_id as varchar) as query_id
from (
    select
        query_id,
        unnest(marks) as mark,
        unnest(marks[2:]) as next_mark
    from (
        select
            query_id,
            list_sort(list(cast(hash({{ document }}) >> 32 as uinteger))) as marks
        from {{ relation }}
{% if parts > 1 %}
        where hash(cast(query_id as varchar)) % {{ parts }} = {{ part }}
{% endif %}
        group by {{ ranking }}
    )
)
where mark = next_mark or mark = cast(hash(null) >> 32 as uinteger)
limit {{ most }}
{% else %}
select 1
from (
    select
        count(*) - count(distinct hash({{ ranking }}, {{ document }}))
        + sum(case when {{ absent("doc_id" | ident) }} then 1 else 0 end) as copies
    from {{ relation }}
{% if parts > 1 %}
    where hash(cast(query_id as varchar)) % {{ parts }} = {{ part }}
{% endif %}
)
where copies > 0
{% endif %}
