{# Of a column of texts: how many have a comma, how many are no number with a decimal comma or without a fraction, how
   many commas can stand for nothing but a point, and a value with a comma. #}
select
    coalesce(sum(case when contains(value, ',') then 1 else 0 end), 0) as with_commas,
    coalesce(
        sum(case when value <> '' and not regexp_full_match(value, '[-+]?[0-9]+(,[0-9]+)?([eE][-+]?[0-9]+)?') then 1 else 0 end),
        0
    ) as others,
    coalesce(
        sum(case when contains(value, ',') and not regexp_full_match(value, '[-+]?[1-9][0-9]{0,2},[0-9]{3}') then 1 else 0 end),
        0
    ) as decimal,
    min(case when contains(value, ',') then value end) as example
from (
    select trim({{ name | ident }}) as value
    from {{ reader }}
)
