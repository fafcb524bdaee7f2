-- the places of a ranking, with the titles of its documents and of those of the best one
select
    places.rank as rank,
    places.doc_id as doc_id,
    own.title as title,
    places.score as score,
    places.relevance as relevance,
    places.gain as gain,
    places.discount as discount,
    places.contribution as contribution,
    places.hits as hits,
    places.ideal_doc_id as ideal_doc_id,
    ideal.title as ideal_title,
    places.ideal_relevance as ideal_relevance,
    places.ideal_gain as ideal_gain,
    places.ideal_contribution as ideal_contribution
from {{ places }} as places
left join {{ titles }} as own
    on places.doc_id = own.id
left join {{ titles }} as ideal
    on places.ideal_doc_id = ideal.id
order by places.rank asc
