select
    try_cast(try_cast({{ position | ident }} as double) as bigint) as position,
    try_cast({{ propensity | ident }} as double) as propensity
from {{ reader }}
