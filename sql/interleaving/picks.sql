{# A row for each impression: the places of all picks, of each team, and of what happened, as bits, the lowest one for the
   first place. #}
{% set place %}cast(1 as {{ bits }}) << cast(position - 1 as {{ bits }}){% endset %}
select
    impression_id,
{% for column in carried %}
    min({{ column | ident }}) as {{ column | ident }},
{% endfor %}
    count(*) as picks,
    bit_or({{ place }}) as places,
{% for team in teams %}
    coalesce(bit_or(case when cast(team as varchar) = {{ team | literal }} then {{ place }} end), 0) as {{ ("team_" ~ loop.index) | ident }},
{% endfor %}
{% if neutral %}
    coalesce(bit_or(case when neutral = 1 then {{ place }} end), 0) as neutral,
{% endif %}
{% for action in weights %}
    coalesce(bit_or(case when {{ action | ident }} = 1 then {{ place }} end), 0) as {{ ("places_" ~ action) | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
from {{ rows }}
group by impression_id
