{# What the impressions of a log are like. #}
select
    count(*) as impressions,
    count(*) filter (where clicks = 0) as without_clicks,
    count(*) filter (where lowest = 0) as from_zero,
    count(*) filter (where lowest = 1) as from_one,
    min(cast(impression_id as varchar)) filter (where lowest = 0) as zero_example,
    min(cast(impression_id as varchar)) filter (where lowest = 1) as one_example,
{% for what, first, last in parts %}
    count(*) filter (where {{ first | ident }} is distinct from {{ last | ident }}) as {{ ("several_" ~ what) | ident }},
    min(cast(impression_id as varchar)) filter (where {{ first | ident }} is distinct from {{ last | ident }}) as {{ (what ~ "_example") | ident }},
{% endfor %}
    count(*) filter (where places < rows_of) as places_short,
    count(*) filter (where places < rows_of or marks < rows_of) as suspects
from {{ of_impressions }}
