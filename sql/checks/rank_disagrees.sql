{#
title = "ranks and scores disagree"
input = "run"
severity = "note"
message = "{findings:row has|rows have} a better score than the row ranked above; scores decide, and ranks only break ties"
#}
select above
from (
    select
        try_cast(score as double) as score,
        lag(try_cast(score as double)) over (
            partition by {% if several %}system, {% endif %}query_id
            order by try_cast(rank as double)
        ) as above
    from {{ run }}
) as ranks
where above {% if ascending %}>{% else %}<{% endif %} score
