{# DuckDB numbers rows in the order of the files, and of the rows in each. #}
(
    select
        *,
        {% if json %}cast(row_number() over () as varchar){% else %}row_number() over (){% endif %} as {{ name | ident }}{% if json %},
        'BIGINT' as {{ (name ~ " json type") | ident }}{% endif +%}
    from {{ reader }}
)
