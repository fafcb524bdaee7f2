{% from "macros/values.sql" import finite %}
-- the rows of a table of positives that say of themselves that they are none
select count(*)
from (
    select
{% if labels %}
        case cast({{ column | ident }} as {{ text }})
{%- for label, number in labels %} when {{ label | literal }} then {{ number | literal }}{% endfor %}
 else cast({{ column | ident }} as {{ text }}) end as label
{% else %}
        cast({{ column | ident }} as {{ text }}) as label
{% endif %}
    from {{ reader }}
{% if where %}
    where (
        {{ where }}
    )
{% endif %}
) as labelled
where
    label is null
    or lower(trim(label)) in ('', 'false', 'no', 'f', 'n')
    or try_cast(label as {{ double }}) <= 0
    or (try_cast(label as {{ double }}) is not null and not {{ finite("label" | ident) }})
