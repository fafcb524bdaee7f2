select
    greatest(
        max(abs(learned.attraction - network.attraction)),
        max(abs(learned.satisfaction - network.satisfaction)),
        any_value(abs(continuation.continuation - before.continuation))
    ) as moved
from {{ learned }} as learned
inner join {{ network }} as network on learned.pair = network.pair
cross join {{ continuation }} as continuation
cross join {{ before }} as before
