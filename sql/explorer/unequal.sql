-- a ranking whose documents do not add up to its value, if there is one
select
    measured.{{ column | ident }} as value,
    coalesce(added.contribution, 0) as contribution
from {{ per_query }} as measured
left join (
    select
        system,
        query_id,
        sum(contribution) as contribution
    from {{ documents }}
    group by system, query_id
) as added
    on measured.system = added.system and measured.query_id = added.query_id
where
    abs(measured.{{ column | ident }} - coalesce(added.contribution, 0)) > 1e-9
    and abs(measured.{{ column | ident }} - coalesce(added.contribution, 0)) > 1e-9 * abs(measured.{{ column | ident }})
{% if may_be_one %}
    and not (measured.{{ column | ident }} = 1 and coalesce(added.contribution, 0) = 0)
{% endif %}
limit 1
