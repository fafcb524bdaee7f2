{% from "macros/steps.sql" import bucket_of with context %}
-- how many documents of each ranking have a score in each of many equal ranges
create temp table {{ names.buckets | ident }} as
with

{% include "steps/run.sql" %}
buckets as (
    select
        {{ keys }},
        {{ bucket_of("run_rows") }} as bucket,
        count(*) as documents
    from run_rows
    group by {{ keys }}, bucket
)

select *
from buckets
