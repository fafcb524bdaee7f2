{# Each row of the log with how likely each candidate is to show it, what it and those above it, and the whole list: of rankings
   whether it does. #}
{% from "macros/hashing.sql" import group_of %}
select
    shown.impression_id,
    shown.query_id,
    shown.doc_id,
    shown.position,
{% if unit %}
    shown.{{ unit | ident }},
{% endif %}
{% for role in known %}
    shown.{{ role | ident }},
{% endfor %}
    cast(shown.{{ reward | ident }} as double) as reward{% if expects %},
    {{ group_of([unit, "impression_id"] if unit else ["impression_id"], seed, 2, "shown") }} as half,
    sum(shown.{{ reward | ident }}) over (partition by shown.impression_id order by shown.position asc rows between current row and unbounded following) as earned_on{% endif %}{% for system in systems %},
{% if by_impression %}
    coalesce(entries_{{ loop.index }}.share, 0) as share_{{ loop.index }},
    coalesce(entries_{{ loop.index }}.prefix_share, 0) as prefix_{{ loop.index }},
    coalesce(entries_{{ loop.index }}.list_share, 0) as list_{{ loop.index }}
{%- else %}
    chances.share_{{ loop.index }} as share_{{ loop.index }}{% if sequence %},
    min(chances.share_{{ loop.index }}) over (partition by shown.impression_id order by shown.position asc rows between unbounded preceding and current row) as prefix_{{ loop.index }},
    min(chances.share_{{ loop.index }}) over (partition by shown.impression_id) as list_{{ loop.index }}{% endif %}
{%- endif %}{% endfor +%}
from {{ impressions }} as shown
{% if by_impression %}
{% for system in systems %}
left join {{ entries }} as entries_{{ loop.index }}
    on entries_{{ loop.index }}.system = {{ system | literal }}
        and cast(shown.impression_id as varchar) = entries_{{ loop.index }}.impression_id
        and cast(shown.doc_id as varchar) = entries_{{ loop.index }}.doc_id
        and shown.position = entries_{{ loop.index }}.position
{% endfor %}
{% else %}
inner join {{ chances }} as chances
    on shown.query_id = chances.query_id and shown.doc_id = chances.doc_id and shown.position = chances.position
{% endif %}
