select
    pair,
    {{ start | literal }} as attraction,
    {{ start | literal }} as satisfaction
from {{ places }}
group by pair
