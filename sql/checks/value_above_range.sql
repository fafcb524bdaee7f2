{#
title = "a value is above the range of its metric"
input = "run"
severity = "note"
message = "{findings:value|values} of {measure} {findings:~is|are} above {most}, such as {value} of query {query_id}: documents without a judgment count as {grade}, and the ideal ranking is made of the judgments alone; ask for ideal=retrieved, or lower {option:unjudged}"
#}
{% from "macros/measures.sql" import of_first %}
{% call(measure) of_first(measures, ["most", "value", "grade"]) %}
    {{ measure.most | literal }} as most,
    round({{ measure.column | ident }}, 4) as value,
    {{ grade | literal }} as grade
from {{ per_query }}
where {{ measure.column | ident }} > {{ measure.most | literal }} + 1e-9
{% endcall %}
