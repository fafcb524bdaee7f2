{# How many lines of a bulk request have the key of an action, and how many have none. #}
select
    count(*) - count(case when {% for name in actions %}{{ name | ident }} is null{% if not loop.last %} and {% endif %}{% endfor %} then 1 end) as actions,
    count(case when {% for name in actions %}{{ name | ident }} is null{% if not loop.last %} and {% endif %}{% endfor %} then 1 end) as documents
from {{ rows }}
