{# Of how many impressions some place is missing, or two picks stand at one. #}
select count(*) filter (where places & (places + 1) <> 0 or bit_count(places) <> picks) as gaps
from {{ picks }}
