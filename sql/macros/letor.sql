{# Files of LETOR (svmlight): a label, the query, features and a comment in a line. #}
{% macro lines_of(lines) %}
select
    row_number() over () as line_number,
    {{ trimmed() | trim | indent }} as line
from {{ lines }}
{%- endmacro %}
{# A line without the blanks around it: to trim a long line that has none takes longer than the rest. #}
{% macro trimmed() %}
case
    when
        starts_with(line, ' ') or starts_with(line, chr(9))
        or ends_with(line, ' ') or ends_with(line, chr(9)) or ends_with(line, chr(13))
        then trim(line, E' \t\r')
    else line
end
{%- endmacro %}
{# Whether a line is a row: neither blank nor a comment. #}
{% macro is_row() %}
coalesce(line, '') <> '' and line not like '#%'
{%- endmacro %}
{# The query, where a line names one. #}
{% macro query_of() %}
regexp_extract(line, '^\S+\s+qid:([^\s#]+)', 1)
{%- endmacro %}
{# The document as `ids` says: of the comment `docid = X`, its first word, or the number of the line. #}
{% macro document_of(ids) %}
{% if ids == "docid" %}regexp_extract(line, '#.*?\bdocid\s*=\s*(\S+)', 1)
{%- elif ids == "word" %}regexp_extract(line, '#\s*(\S+?);?(?:\s|$)', 1)
{%- else %}cast(line_number as varchar)
{%- endif %}
{% endmacro %}
