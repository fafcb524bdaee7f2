{# Propensities of a log that are none, and how many places lists have. #}
select
    count(*) as rows_read,
    max(position) as deepest,
    count(distinct position) as positions{% for role in known %},
    count(*) filter (where not coalesce({{ role | ident }} > 0 and {{ role | ident }} <= 1, false)) as {{ role | ident }},
    min(concat_ws(', ', cast(impression_id as varchar), cast(doc_id as varchar), coalesce(cast({{ role | ident }} as varchar), 'none'))) filter (where not coalesce({{ role | ident }} > 0 and {{ role | ident }} <= 1, false)) as {{ (role ~ "_example") | ident }}{% endfor +%}
from {{ impressions }}
