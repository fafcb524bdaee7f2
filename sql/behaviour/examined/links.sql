{# How many documents each two positions share, each with enough impressions at both. #}
select
    upper_place.position as position,
    lower_place.position as other,
    count(*) as pairs
from {{ cells }} as upper_place
inner join {{ cells }} as lower_place
    on upper_place.query_id = lower_place.query_id
    and upper_place.doc_id = lower_place.doc_id
    and upper_place.position < lower_place.position
where upper_place.impressions >= {{ fewest }}
    and lower_place.impressions >= {{ fewest }}
group by upper_place.position, lower_place.position
order by position asc, other asc
