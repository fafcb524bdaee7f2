-- the means over all queries that labels make uncertain, with half the width of the interval of the queries alone
select
    system,
    metric,
    value,
    (high - low) / 2 as half_width,
    label_stderr,
    label_shift
from {{ ends }}
where label_stderr > 0{% if segments %} and is_total{% endif +%}
order by
    list_position({{ systems | literal }}, system),
    list_position({{ metrics | literal }}, metric)
