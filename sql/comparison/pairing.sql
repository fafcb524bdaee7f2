-- how many queries each system has, lacks or has twice, with an example
{% for system in systems %}
{% set found -%}
found_{{ loop.index0 }}
{%- endset %}
select
    {{ loop.index0 }} as system,
    sum(case when {{ found }} > 0 then 1 else 0 end) as queries,
    sum(case when {{ found }} = 0 then 1 else 0 end) as missing,
    sum(case when {{ found }} > 1 then 1 else 0 end) as repeated,
    sum(case when disagreements > 0 then 1 else 0 end) as disagreements,
{% if cluster %}
    sum(case when cluster is null then 1 else 0 end) as loose,
    min(case when cluster is null then query_id end) as loose_query,
    sum(is_lone) as lone,
{% else %}
    0 as loose,
    0 as lone,
{% endif %}
    min(case when {{ found }} = 0 then query_id end) as missing_query,
    min(case when {{ found }} > 1 then query_id end) as repeated_query,
    min(case when disagreements > 0 then query_id end) as disagreement_query
from {{ paired }}
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
order by system asc
