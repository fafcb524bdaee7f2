{# A table of what a part of the queries' ids names, such as a user of a user and a date, with the ids of all queries that
   have that part. #}
{% from "macros/ids.sql" import column_of_id %}
{% set whole %}queries_known.query_id{% endset %}
{% set own %}given.query_id{% endset %}
select
    queries_known.query_id as query_id{% for column in columns %},
    given.{{ column | ident }} as {{ column | ident }}{% endfor +%}
from (
{% for known in relations %}
    select cast(query_id as {{ text }}) as query_id
    from {{ known }}
{% if not loop.last %}
    union
{% else %}
    group by query_id
{% endif %}
{% endfor %}
) as queries_known
inner join {{ relation }} as given
    on {% for number in numbers %}{{ column_of_id(whole, number) }} = {% if numbers | length == 1 %}cast({{ own }} as {{ text }}){% else %}{{ column_of_id(own, loop.index) }}{% endif %}{% if not loop.last +%}
    and {% endif %}{% endfor +%}
