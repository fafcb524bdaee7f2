{% from "macros/keys.sql" import one_ranking with context %}
{% from "macros/ranking.sql" import text_of, worth %}
-- where ties are to be broken: how many documents of the same score come first, and whether their order matters
create temp table {{ names.tied_hits | ident }} as
with

{% if documents == "run_rows" %}
{% include "steps/run.sql" %}
{% endif %}
tied_hits as (
    select
        hits.rowid as hit,
{% for key in key_names %}
        any_value(hits.{{ key | ident }}) as {{ key | ident }},
{% endfor %}
        any_value(hits.relevance) as relevance,
        count(case when {{ text_of("doc_id", "documents") }} {% if ties == "doc-asc" %}<{% else %}>{% endif %} {{ text_of("doc_id", "hits") }} then 1 end) as before,
        count(*) as alike,
        any_value(placed.above) + before + 1 as rank
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

-- a neighbour that is not here is worth nothing
select
    hit,
    before,
    case
        when {{ worth() }} = 0 then 0
        when before > 0 and {{ worth() }} <> coalesce(case when lag(rank) over by_rank = rank - 1 then lag({{ worth() }}) over by_rank end, 0) then 1
        when {% if deepest %}rank <= {{ deepest }} and {% endif %}alike > before + 1 and {{ worth() }} <> coalesce(case when lead(rank) over by_rank = rank + 1 then lead({{ worth() }}) over by_rank end, 0) then 1
        else 0
    end as tied
from tied_hits
window by_rank as (partition by {{ keys }} order by rank asc)
