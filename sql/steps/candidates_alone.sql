{% from "macros/keys.sql" import keys_of with context %}
-- the rankings, with each document once
candidates as (
    select
        {{ keys_of("returned") }},
        returned.doc_id as doc_id,
{% for name in tie_columns %}
        returned.{{ name | ident }} as {{ name | ident }},
{% endfor %}
        returned.score as score
    from copies as returned
    where returned.copy = 1
),
