{#
title = "items have several verdicts, and nobody knows whose"
input = "verdicts"
severity = "note"
message = "{findings} {items} have several verdicts; name who gave them with --column rater=NAME, to see where raters disagree"
#}
select
    count(*) as findings,
    {% if documents %}'pairs of query and document'{% else %}'queries'{% endif %} as items
from (
    select query_id
    from {{ relation }}
    group by query_id{% if documents %}, doc_id{% endif %}

    having count(*) > 1
)
