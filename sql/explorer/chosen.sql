-- the queries of a page
select
    id{% for segment in segments %},
    segment_{{ loop.index }}{% endfor +%}
from {{ queries }}
order by number asc
