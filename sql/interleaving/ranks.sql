{# How deep lists are, and of how many documents the rank in a list is none, or beyond its end. #}
{% set is_wrong %}{% for rank in ranks %}{{ rank | ident }} < 1{% if lengths %} or {{ rank | ident }} > {{ lengths[loop.index0] | ident }}{% endif %}{% if not loop.last %} or {% endif %}{% endfor %}{% endset %}
select
    max(position) as deepest,
    {%+ if lengths %}greatest(max(length_a), max(length_b)){% else %}0{% endif %} as longest,
    count(*) filter (where {{ is_wrong }}) as findings,
    any_value(impression_id) filter (where {{ is_wrong }}) as impression_example,
    any_value(doc_id) filter (where {{ is_wrong }}) as document_example
from {{ rows }}
