{# The places of such impressions. #}
select
    session,
    sessions,
    unnest(documents) as pair,
    unnest(clicks) as clicked,
    generate_subscripts(documents, 1) as place,
    len(documents) as places,
    last_click
from {{ sessions }}
