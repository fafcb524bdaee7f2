{% from "macros/keys.sql" import keys_of, one_ranking with context %}
{% from "macros/steps.sql" import bucket_of with context %}
-- how many documents have a better score than each of them, counted one by one{% if by_bucket %} where they are of about the same{% endif +%}
create temp table {{ names.placed | ident }} as
with

{% include "steps/run.sql" %}
{% if by_bucket %}
better_buckets as (
    select
        {{ keys }},
        bucket,
        sum(documents) over (partition by {{ keys }} order by bucket {{ direction }}) - documents as documents
    from {{ names.buckets | ident }}
),
{% endif %}
counted as (
    select
        hits.rowid as hit,
        count(case when run_rows.score {% if ascending %}<{% else %}>{% endif %} hits.score then 1 end) as above,
        count(*) as at_least
    from run_rows
    inner join {{ names.hits | ident }} as hits
        on
            {{ one_ranking("run_rows", "hits") }}
{% if by_bucket %}
            and {{ bucket_of("run_rows") }} = {{ bucket_of("hits") }}
{% endif %}
            and run_rows.score {% if ascending %}<={% else %}>={% endif %} hits.score
    group by hits.rowid
)

select
    counted.hit,
    {{ keys_of("hits") }},
    hits.relevance,
    counted.above{% if by_bucket %} + cast(better_buckets.documents as bigint){% endif %} as above,
    case when counted.at_least > counted.above + 1 then 1 else 0 end as tied
from counted
inner join {{ names.hits | ident }} as hits
    on counted.hit = hits.rowid
{% if by_bucket %}
inner join better_buckets
    on {{ one_ranking("hits", "better_buckets") }} and {{ bucket_of("hits") }} = better_buckets.bucket
{% endif %}
