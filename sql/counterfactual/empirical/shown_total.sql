{# What everything that was shown earned. #}
select cast(sum(rewards) as double) as earned
from {{ reached }}
