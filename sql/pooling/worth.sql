-- what a document at the top of the scale adds in the first place
select
{% for line in lines %}
    {{ line }}{% if loop.last %} as worth{% endif +%}
{% endfor %}
from (select 1 as rank, {{ top | literal }} as relevance) as shown_places
