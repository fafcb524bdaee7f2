    left join query_subtopics
        on {{ query_base }}.query_id = query_subtopics.query_id
