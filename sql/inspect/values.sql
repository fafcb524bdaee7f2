-- how many values each other column has among the sampled queries, and some of them
select
{% for column in columns %}
    count(distinct {{ ("column_" ~ loop.index) | ident }}) as {{ ("count_" ~ loop.index) | ident }},
    (
        select list(each order by each asc)
        from (select distinct {{ ("column_" ~ loop.index) | ident }} as each from {{ rows }} limit 4)
    ) as {{ ("some_" ~ loop.index) | ident }},
{% endfor %}
    count(*) as row_count
from {{ rows }}
