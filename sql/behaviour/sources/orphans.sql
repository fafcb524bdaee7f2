{# What was done with documents of an impression that did not show them, and clicks earlier than what was shown. #}
select
    count(*) filter (where position is not null) as shown_rows,
    coalesce(sum(times_clicked), 0) as clicks,
    count(*) filter (where position is null and times_shown > 0) as unplaced,
    min(cast(impression_id as varchar)) filter (where position is null and times_shown > 0) as unplaced_example,
    min_by(cast(doc_id as varchar), cast(impression_id as varchar)) filter (where position is null and times_shown > 0) as unplaced_document,
    coalesce(sum(times_clicked) filter (where position is null), 0) as orphans,
    min(cast(impression_id as varchar)) filter (where position is null and clicked = 1) as orphan_example,
    count(*) filter (where clicked_before and position is not null) as before,
    min(cast(impression_id as varchar)) filter (where clicked_before and position is not null) as before_example,
    coalesce(sum(times_shown - 1) filter (where times_shown > 1), 0) as shown_again
from {{ rows_of }}
