{# Of how many documents the rank in a list is none, or beyond its end. #}
select
    count(*) as findings,
    any_value(impression_id) as impression_example,
    any_value(doc_id) as document_example
from {{ rows }}
where {% for rank in ranks %}{{ rank | ident }} < 1{% if lengths %} or {{ rank | ident }} > {{ lengths[loop.index0] | ident }}{% endif %}{% if not loop.last %} or {% endif %}{% endfor +%}
