{#
title = "a value is not a finite number"
input = "qrels"
message = "{findings:value|values} of {measure} {findings:~is not a finite number|are not finite numbers}, such as that of query {query_id}; {instead}"
#}
{% from "macros/measures.sql" import of_first %}
{% from "macros/values.sql" import finite %}
{% call(measure) of_first(measures, ["instead"]) %}
    {{ measure.instead | literal }} as instead
from {{ per_query }}
where {{ measure.column | ident }} is not null and not {{ finite(measure.column | ident) }}
{% endcall %}
