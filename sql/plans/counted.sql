-- how many documents have a better score than each of them, counted one by one
create temp table {{ names.placed | ident }} as
with

{% include "steps/run.sql" %}
placed as (
    select
        hits.rowid as hit,
        sum(case when run_rows.score {% if ascending %}<{% else %}>{% endif %} hits.score then 1 else 0 end) as above,
        count(*) as at_least
    from run_rows
    inner join {{ names.hits | ident }} as hits
        on
            run_rows.query_id = hits.query_id
{% if several %}
            and run_rows.system = hits.system
{% endif %}
            and run_rows.score {% if ascending %}<={% else %}>={% endif %} hits.score
    group by hits.rowid
)

select
    hit,
    above,
    case when at_least > above + 1 then 1 else 0 end as tied
from placed
