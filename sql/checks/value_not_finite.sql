{#
title = "a value is no finite number"
input = "qrels"
message = "{findings} values of {measure} are not finite numbers, such as that of query {query_id}; {instead}"
#}
{% from "macros/values.sql" import finite %}
select
    query_id,
    measure,
    instead
from (
    select
        *,
        min(place) over () as first_place
    from (
{% for measure in measures %}
        select
            {{ loop.index }} as place,
            query_id,
            {{ measure.text | literal }} as measure,
            {{ measure.instead | literal }} as instead
        from {{ per_query }}
        where {{ measure.column | ident }} is not null and not {{ finite(measure.column | ident) }}
{% if not loop.last %}

        union all

{% endif %}
{% endfor %}
    ) as not_finite
) as numbered
where place = first_place
