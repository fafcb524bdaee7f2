{# What was searched for at a moment of a session; nothing where two events of one moment say two things. #}
select
    user_id,
    session_id,
    moment,
    case when min(term) = max(term) then min(term) end as term
from {{ items }}
where whole
    and term is not null
group by all
