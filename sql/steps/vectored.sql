{% from "macros/keys.sql" import keys_of with context %}
{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import made_in with context %}
-- the first documents of every ranking that have a vector
vectored as (
    select
        {{ keys_of("ranked") }},
        ranked.doc_id as doc_id,{{ made_in("vectored") }}
        ranked.rank as place
    from ranked
    inner join {{ items.relation }} as catalogue
        on ranked.doc_id = {{ id_of(items.doc_id, "catalogue") }}
{% include "steps/joins/query_rows.sql" %}
    where catalogue.{{ items.vector | ident }} is not null{% if vectors %} and ranked.rank <= {{ vectors }}{% endif %}{% if last_depth %} and ranked.rank <= {{ last_depth }}{% endif +%}
),
