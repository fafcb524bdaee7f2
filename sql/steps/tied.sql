{% from "macros/ranking.sql" import worth %}
{% if diagnostics and not without_judgments %}
-- how many documents of each query have a place that depends on the order of ties, and that matters
tied_queries as (
    select
        {{ keys }},
        sum(tied) as tied
    from (
        select
            {{ keys }},
            case
                when {{ worth() }} = 0 then 0
                when
                    tied_above = 1 and {{ worth() }} <> coalesce(case
                        when lag(rank) over (partition by {{ keys }} order by rank) = rank - 1
                            then lag({{ worth() }}) over (partition by {{ keys }} order by rank)
                    end, 0)
                    then 1
                when
                    tied_below = 1{% if deepest %} and rank <= {{ deepest }}{% endif %} and {{ worth() }} <> coalesce(case
                        when lead(rank) over (partition by {{ keys }} order by rank) = rank + 1
                            then lead({{ worth() }}) over (partition by {{ keys }} order by rank)
                    end, 0)
                    then 1
                else 0
            end as tied
        from scored
        where tied_above = 1 or tied_below = 1
    ) as tied_documents
    group by {{ keys }}
),
{% endif %}
