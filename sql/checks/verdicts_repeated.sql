{#
title = "items have several verdicts, of unknown raters"
input = "verdicts"
severity = "note"
message = "there are several verdicts on one {item} (cases: {findings}); name who gave them with {option:columns rater=NAME}, to see where raters disagree"
#}
select {% if documents %}'document of one query'{% else %}'query'{% endif %} as item
from {{ relation }}
group by query_id{% if documents %}, doc_id{% endif +%}
having count(*) > 1
