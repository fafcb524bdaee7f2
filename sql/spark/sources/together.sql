{% from "macros/created.sql" import created %}
{# The rows of each query in one partition, which has the same number in every relation that was brought together so: no
   statement that reads them by query moves them again. #}
{{ created(name) }} as
select /*+ repartition({{ tasks }}, query_id) */
    * except (query_id),
    cast(query_id as string) as query_id
from {{ rows }}
