{# What each candidate is expected to earn from each place on, of {% if by_impression %}each impression{% else %}each query{% endif %}, and how many documents nothing is known of. #}
{% set query %}{% if by_impression %}keys.query_id{% else %}entries.query_id{% endif %}{% endset %}
select
    entries.system,
    {%+ if by_impression %}entries.impression_id{% else %}entries.query_id{% endif %} as key,
    entries.position,
    halves.half,
    sum(entries.share * {% if told %}expected.expected{% else %}coalesce(expected.expected, levels.expected, 0){% endif %}) as prospect,
    count(*) filter (where entries.share > 0 and {% if told %}expected.expected{% else %}0{% endif %} is null) as unknown,
    min(entries.doc_id) filter (where entries.share > 0 and {% if told %}expected.expected{% else %}0{% endif %} is null) as unknown_example
from {{ entries }} as entries
cross join (
    select unnest([0, 1]) as half
) as halves
{% if by_impression %}
inner join (
    select distinct
        cast(impression_id as varchar) as impression_id,
        cast(query_id as varchar) as query_id
    from {{ chosen }}
) as keys on entries.impression_id = keys.impression_id
{% else %}
-- of queries that the log has no row of nothing is asked
inner join (
    select distinct cast(query_id as varchar) as query_id
    from {{ chosen }}
) as keys on entries.query_id = keys.query_id
{% endif %}
left join {{ expected }} as expected
    on entries.doc_id = expected.doc_id and halves.half = expected.half{% if with_query %} and {{ query }} = expected.query_id{% endif %}{% if with_position %} and entries.position = expected.position{% endif +%}
{% if not told %}
left join {{ expected }} as levels
    on levels.doc_id is null and entries.position = levels.position and halves.half = levels.half
{% endif %}
group by all
