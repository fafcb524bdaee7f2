{% from "macros/keys.sql" import one_ranking with context %}
{% from "macros/ranking.sql" import text_of %}
-- where ties are to be broken: how many documents have the same score, and how many of these come first
create temp table {{ names.tied_hits | ident }} as
with

{% if documents == "run_rows" %}
{% include "steps/run.sql" %}
{% endif %}
tied_hits as (
    select
        hits.rowid as hit,
        count(case when {{ text_of("doc_id", "documents") }} {% if ties == "doc-asc" %}<{% else %}>{% endif %} {{ text_of("doc_id", "hits") }} then 1 end) as before,
        count(*) as alike
    from {{ documents }} as documents
    inner join {{ names.hits | ident }} as hits
        on
            {{ one_ranking("documents", "hits") }}
            and documents.score = hits.score
    inner join {{ names.placed | ident }} as placed
        on hits.rowid = placed.hit
    where placed.tied = 1
    group by hits.rowid
)

select *
from tied_hits
