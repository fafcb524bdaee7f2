{# Of each two positions the click rates of the documents that stood at both, at either of them (Agarwal et al., WSDM 2019):
   two positions stand for a pair, and the sums of rates for clicks. #}
select
    least(here.position, there.position) * 1000000 + greatest(here.position, there.position) as pair,
    here.position,
    cast(count(*) as double) as impressions,
    sum(here.clicks / here.impressions) as clicks
from {{ cells }} as here
inner join {{ cells }} as there
    on here.query_id = there.query_id
    and here.doc_id = there.doc_id
    and here.position <> there.position
group by here.position, there.position
