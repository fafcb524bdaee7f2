        case when relevance is null then score end as rank
