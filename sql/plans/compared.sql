{% from "macros/keys.sql" import one_ranking with context %}
{% from "macros/steps.sql" import bucket_of with context %}
select coalesce(sum(buckets.documents), 0) as comparisons
from {{ names.hits | ident }} as hits
inner join {{ names.buckets | ident }} as buckets
    on {{ one_ranking("hits", "buckets") }} and {{ bucket_of("hits") }} = buckets.bucket
