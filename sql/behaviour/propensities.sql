select
    case
        when try_cast({{ position | ident }} as double) = floor(try_cast({{ position | ident }} as double))
            then try_cast(try_cast({{ position | ident }} as double) as bigint)
    end as position,
    try_cast({{ propensity | ident }} as double) as propensity
from {{ reader }}
