left join {{ asked.relation }} as asked on judged_queries.query_id = cast(asked.{{ asked.query_id | ident }} as {{ text }}){{ bytewise }}
