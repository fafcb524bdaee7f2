-- which columns are different in each copy of a document, as far as the first copies show, and how many values they have
with

copied as (
    select
{% for key in keys %}
        {{ key | ident }},
{% endfor %}
        count(*) as copies
    from {{ reader }}
{% if where %}
    where ({{ where }})
{% endif %}
    group by {% for key in keys %}{{ key | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
    having count(*) > 1
    limit {{ most }}
),

rows_of_copies as (
    select every_row.*
    from {{ reader }} as every_row
    inner join copied
        on
{% for key in keys %}
            every_row.{{ key | ident }} = copied.{{ key | ident }}{% if not loop.last %} and{% endif +%}
{% endfor %}
{% if where %}
    where ({{ where }})
{% endif %}
),

each_document as (
    select
{% for column in columns %}
        count(distinct cast({{ column | ident }} as {{ text }})) as {{ ("values_" ~ loop.index) | ident }},
{% endfor %}
        count(*) as copies
    from rows_of_copies
    group by {% for key in keys %}{{ key | ident }}{% if not loop.last %}, {% endif %}{% endfor +%}
)

{% for column in columns %}
select
    {{ column | literal }} as name,
    (select count(distinct cast({{ column | ident }} as {{ text }})) from rows_of_copies) as different
from each_document
having min(case when {{ ("values_" ~ loop.index) | ident }} = copies then 1 else 0 end) = 1
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
order by different asc, name asc
