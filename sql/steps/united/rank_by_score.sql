{% from "macros/ranking.sql" import order_of_scores %}
        case
            when relevance is null then row_number() over (partition by query_id order by {{ order_of_scores("score" | ident, unjudged_last, ties, doc_text, "given_rank" | ident) }})
        end as rank
