-- the mean of a column over the rows of queries
select {% if weighted %}sum(weight * {{ column | ident }}) / nullif(sum(weight), 0){% else %}avg({{ column | ident }}){% endif %} as mean
from {{ rows }}
where {{ column | ident }} is not null{% if weighted %} and weight > 0{% endif +%}
