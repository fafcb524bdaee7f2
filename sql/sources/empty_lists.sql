{% from "macros/lists.sql" import without_spaces %}
{# How many rows have no documents, in the first of the lists; in JSON also in how many a list is another value. #}
select
    count(case when {% if json %}case {{ (names[0] ~ " json type") | ident }} when 'ARRAY' then json_array_length({{ names[0] | ident }}) = 0 else true end
{%- elif separator %}{{ names[0] | ident }} is null or {{ without_spaces(names[0] | ident) }} = ''
{%- else %}{{ names[0] | ident }} is null or {{ length }}({{ names[0] | ident }}) = 0
{%- endif %} then 1 end) as without_documents,
    {%+ if json %}count(case when {% for name in names %}{{ (name ~ " json type") | ident }} not in ('ARRAY', 'NULL'){% if not loop.last %} or {% endif %}{% endfor %} then 1 end){% else %}0{% endif %} as no_lists
from {{ reader }}
