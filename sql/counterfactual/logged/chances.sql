{# How likely each candidate is to show what each cell of the log shows. #}
select
    of_cells.query_id,
    of_cells.doc_id,
    of_cells.position{% for system in systems %},
    coalesce(entries_{{ loop.index }}.share, 0) as share_{{ loop.index }}{% endfor +%}
from {{ cells }} as of_cells
{% for system in systems %}
left join {{ entries }} as entries_{{ loop.index }}
    on entries_{{ loop.index }}.system = {{ system | literal }}
        and cast(of_cells.query_id as varchar) = entries_{{ loop.index }}.query_id
        and cast(of_cells.doc_id as varchar) = entries_{{ loop.index }}.doc_id
        and of_cells.position = entries_{{ loop.index }}.position
{% endfor %}
