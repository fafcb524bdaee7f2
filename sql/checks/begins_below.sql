{#
title = "a ranking whose given places begin below the cutoff"
input = "run"
message = "{findings:ranking has|rankings have} no document down to place {cutoff}, such as that of query {query_id}, which begins at {place}; {tool} leaves {findings:~it|them} out of the mean of {texts}: remove {findings:~it|them} from the run, or choose a larger cutoff"
#}
select
    cast(query_id as {{ text }}) as query_id,
    min(try_cast(score as {{ double }})) as place,
    {{ cutoff }} as cutoff,
    {{ tool | literal }} as tool,
    {{ texts | literal }} as texts
from {{ run }}
group by {% if several %}system, {% endif %}query_id
having min(try_cast(score as {{ double }})) > {{ cutoff }}
