    left join known_items
        on ranked.doc_id = known_items.doc_id
    cross join history_totals
