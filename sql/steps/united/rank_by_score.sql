{% from "macros/ranking.sql" import id_text, order_of_scores %}
        case
            when relevance is null then row_number() over (partition by query_id order by {{ order_of_scores("score" | ident, unjudged_last, ties, id_text(run.doc_id, "doc_id"), "given_rank" | ident) }})
        end as rank
