{% from "macros/ranking.sql" import id_of %}
    left join {{ items.relation }} as catalogue
        on ranked.doc_id = {{ id_of(items.doc_id, "catalogue") }}
