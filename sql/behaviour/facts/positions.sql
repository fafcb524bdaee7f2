{# Impressions and clicks at each position{% if "application" in columns %} of each application{% endif %}. #}
select
{% if "application" in columns %}
    cast(application as varchar) as application,
{% endif %}
    position,
    count(*) as impressions,
    sum(clicked) as clicks
from {{ log }}
group by all
order by all
