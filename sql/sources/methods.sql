-- whose the intervals are, whether a mean has none as all its values are alike, whether one lies unevenly about its mean,
-- how many means have none for the weight of one query, and how many queries of equal weight there are
select
    coalesce(bool_or(method = 'wilson'), false) as wilson,
    coalesce(bool_or(method = 'two values' and greatest(value - low, high - value) > critical * stderr * (1 + 1e-9)), false) as two_values,
    coalesce(bool_or(method = 'hall'), false) as hall,
    coalesce(bool_or(method = 'none' and queries > 1), false) as alike,
    coalesce(bool_or(abs(ci_high + ci_low - 2 * value) > 1e-12 * (ci_high - ci_low)), false) as uneven,
    count(*) filter (where effective is not null and method is null and queries > 1) as withheld,
    min(effective) as fewest,
    max(effective) as most
from {{ ends }}
