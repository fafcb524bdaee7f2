-- the same with what stands above each of them
scored as (
    select
        judged.query_id as query_id,
        judged.relevance as relevance,
{% include "steps/scored_columns.sql" %}
{% for ideal in ideals %}
        judged.{{ ideal.rank | ident }} as {{ ideal.rank | ident }},
{% endfor %}
        judged.rank as rank
    from judged
{% for join in joins.scored %}
{% include join %}
{% endfor %}
),
