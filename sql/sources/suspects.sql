{# Marks that are equal need not be those of one document, but those of one document are equal; a document without id has
   the mark of null. #}
{% from "macros/values.sql" import absent %}
{% macro mark_of(document) %}{% if long %}hash({{ document }}){% else %}cast(hash({{ document }}) >> 32 as uinteger){% endif %}{% endmacro %}
{% set nothing %}null{% endset %}
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
            list_sort(list({{ mark_of(document) }})) as marks
        from {{ relation }}
{% if parts > 1 %}
        where hash(cast(query_id as varchar)) % {{ parts }} = {{ part }}
{% endif %}
        group by {{ ranking }}{% if long %}, hash({{ document }}) >> 60{% endif %}

    )
)
where mark = next_mark or mark = {{ mark_of(nothing) }}
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
