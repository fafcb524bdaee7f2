    left join {{ items.relation }} as catalogue
        on ranked.doc_id = cast(catalogue.{{ items.doc_id | ident }} as {{ text }}){{ bytewise }}
