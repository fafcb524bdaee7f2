    left join {{ asked.relation }} as asked
        on {{ query_base }}.query_id = cast(asked.{{ asked.query_id | ident }} as {{ text }}){{ bytewise }}
