{# What ten random bits stand for in each of 33 replicates: a level from 0 to 31. #}
-- columns of an orthogonal array, of which any two have every pair of levels equally often, so that any two replicates are
-- independent. The bits are two of the 32 elements of a field, `base` and `slope`; the levels are base + slope * x ^ number,
-- base, and slope; multiplied by x, modulo x ^ 5 + x ^ 2 + 1
products as (
    select
        number as slope,
        0 as number,
        number as product
    from {{ numbers }}
    where number < 32

    union all

    select
        slope,
        number + 1 as number,
        case when product < 16 then 2 * product else (2 * product | 37) - (2 * product & 37) end as product
    from products
    where number < 30
),

-- addition is an exclusive or
levels as (
    select
        32 * products.slope + bases.number as bits,
        products.number as number,
        (bases.number | products.product) - (bases.number & products.product) as level
    from products
    cross join {{ numbers }} as bases
    where bases.number < 32

    union all

    select
        number as bits,
        31 as number,
        number & 31 as level
    from {{ numbers }}
    where number < 1024

    union all

    select
        number as bits,
        32 as number,
        number >> 5 as level
    from {{ numbers }}
    where number < 1024
)

