delete from {{ paired }}
where {% for system in systems %}found_{{ loop.index0 }} = 0{% if not loop.last %} or {% endif %}{% endfor +%}
