-- the smallest and the largest value of one metric
select
    min({{ column | ident }}) as low,
    max({{ column | ident }}) as high
from {{ per_query }}
