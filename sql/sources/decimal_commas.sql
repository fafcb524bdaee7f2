{# Of a column of texts: how many have a comma, how many are no number with a decimal comma or without a fraction, how
   many commas can stand for nothing but a point, and the first value with a comma. #}
select
    count(*) as with_commas,
    (
        select count(*)
        from {{ reader }}
        where
            trim({{ name | ident }}) <> ''
            and not regexp_full_match(trim({{ name | ident }}), '[-+]?[0-9]+(,[0-9]+)?([eE][-+]?[0-9]+)?')
    ) as others,
    coalesce(sum(case when regexp_full_match(trim(value), '[-+]?[1-9][0-9]{0,2},[0-9]{3}') then 0 else 1 end), 0) as decimal,
    min(place) as first_row,
    arg_min(value, place) as example
from (
    select
        {{ name | ident }} as value,
        row_number() over () as place
    from {{ reader }}
)
where contains(value, ',')
