{# Makes room for a partition that is made again, where the adapter of dbt deletes nothing by itself. -#}
delete from {{ table }} where {% if day %}{{ column | ident }} = cast({{ day }} as date){% else %}cast({{ column | ident }} as {{ text }}) = '{{ asked }}'{% endif +%}
