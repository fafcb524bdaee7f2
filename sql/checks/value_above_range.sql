{#
title = "a value is above the range of its metric"
input = "run"
severity = "note"
message = "{findings} values of {measure} are above {most}, such as {value} of query {query_id}: documents without a judgment count as {grade}, and the ideal ranking is made of the judgments alone; ask for ideal=retrieved, or lower --unjudged"
#}
select
    query_id,
    measure,
    most,
    value,
    {{ grade | literal }} as grade
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
            {{ measure.most | literal }} as most,
            round({{ measure.column | ident }}, 4) as value
        from {{ per_query }}
        where {{ measure.column | ident }} > {{ measure.most | literal }} + 1e-9
{% if not loop.last %}

        union all

{% endif %}
{% endfor %}
    ) as above
) as numbered
where place = first_place
