    inner join subtopic_totals
        on judged_subtopics.query_id = subtopic_totals.query_id and judged_subtopics.subtopic = subtopic_totals.subtopic
