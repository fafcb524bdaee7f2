{# Marks that are equal need not be those of one document, but those of one document are equal; a document without id has
   the mark of null. #}
{% macro mark_of(document) %}{% if long %}hash({{ document }}){% else %}cast(hash({{ document }}) >> 32 as uinteger){% endif %}{% endmacro %}
{% set nothing %}null{% endset %}
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
        where hash({{ document }}) % {{ parts }} = {{ part }}
{% endif %}
        group by {{ ranking }}{% if long %}, hash({{ document }}) >> 60{% endif +%}
    )
)
where mark = next_mark or mark = {{ mark_of(nothing) }}
limit {{ most }}
