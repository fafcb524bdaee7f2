{% from "macros/keys.sql" import keys_of, one_ranking with context %}
-- how many documents have a better score than each of them, counted one by one
create temp table {{ names.placed | ident }} as
with

{% include "steps/run.sql" %}
counted as (
    select
        hits.rowid as hit,
        count(case when run_rows.score {% if ascending %}<{% else %}>{% endif %} hits.score then 1 end) as above,
        count(*) as at_least
    from run_rows
    inner join {{ names.hits | ident }} as hits
        on
            {{ one_ranking("run_rows", "hits") }}
            and run_rows.score {% if ascending %}<={% else %}>={% endif %} hits.score
    group by hits.rowid
)

select
    counted.hit,
    {{ keys_of("hits") }},
    hits.relevance,
    counted.above,
    case when counted.at_least > counted.above + 1 then 1 else 0 end as tied
from counted
inner join {{ names.hits | ident }} as hits
    on counted.hit = hits.rowid
