-- the digits that the numbers of places are made of
digits as (
    select 0 as digit
{% for digit in [1, 2, 3, 4, 5, 6, 7, 8, 9] %}
    union all
    select {{ digit }} as digit
{% endfor %}
),
