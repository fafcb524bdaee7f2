{# Means with the run of dbt that made rows of their partition: this one, if it did. #}
select means.*, built.sqlrank_built as sqlrank_built
from (
{{ means -}}
) as means
inner join (
    select
        {{ column | ident }} as built_partition,
{% raw %}
        coalesce(max(case when sqlrank_built = '{{ invocation_id }}' then sqlrank_built end), max(sqlrank_built)) as sqlrank_built
{% endraw %}
    from {{ rows }}
    group by {{ column | ident }}
) as built
    on means.{{ column | ident }} = built.built_partition
