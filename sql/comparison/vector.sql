-- the differences of one pair in one segment, or in the total
select {{ value | ident }} - {{ baseline_value | ident }} as difference
from {{ paired }}
where
    {{ value | ident }} is not null
    and {{ baseline_value | ident }} is not null
{% if scope %}
    and scope = {{ scope }}
{% endif %}
order by query_id
