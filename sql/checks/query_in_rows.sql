{#
title = "a ranking is in two rows of lists without scores"
input = "run"
message = "the {findings:~ranking|rankings} of {findings:query is|queries are} in more than one row, such as that of {query_id}{whose} in {rows_of_query}, and without scores the order of rows does not give the ranks; put a ranking in one row, or name a list of ranks with {option:columns run.rank=NAME} (if these are rankings of their own, name the columns that tell them apart: {option:columns query_id=NAME,NAME})"
#}
select
    cast(query_id as {{ text }}) as query_id,
    {%+ if several %}concat(' in the run ', system){% else %}''{% endif %} as whose,
    count(*) as rows_of_query
from {{ relation }}
where
    try_cast(score as {{ double }}) = 1
{% if among %}
    and system in ({% for name in among %}{{ name | literal }}{% if not loop.last %}, {% endif %}{% endfor %})
{% endif %}
group by {% if several %}system, {% endif %}query_id
having count(*) > 1
