-- where ties are to be broken: how many documents have the same score, and how many of these come first
create temp table {{ names.tied_hits | ident }} as
with

{% include "steps/run.sql" %}
tied_hits as (
    select
        hits.rowid as hit,
        sum(case when run_rows.doc_id {% if ties == "doc-asc" %}<{% else %}>{% endif %} hits.doc_id then 1 else 0 end) as before,
        count(*) as alike
    from run_rows
    inner join {{ names.hits | ident }} as hits
        on
            run_rows.query_id = hits.query_id
{% if several %}
            and run_rows.system = hits.system
{% endif %}
            and run_rows.score = hits.score
    inner join {{ names.placed | ident }} as placed
        on hits.rowid = placed.hit
    where placed.tied = 1
    group by hits.rowid
)

select
    hit,
    before,
    alike
from tied_hits
