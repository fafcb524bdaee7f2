{# How many units were in several arms. #}
select
    count(*) as units,
    count(*) filter (where arm <> last_arm) as crossing,
    cast(min(unit) filter (where arm <> last_arm) as varchar) as example,
    min_by(arm, unit) filter (where arm <> last_arm) as one,
    min_by(last_arm, unit) filter (where arm <> last_arm) as other
from {{ units }}
