{% from "macros/ranking.sql" import gain_of %}
-- the documents found that were judged
retrieved as (
    select
{% if several %}
        ranked.system,
{% endif %}
        ranked.query_id,
        ranked.rank,
{% if diagnostics %}
        ranked.tied_above,
        ranked.tied_below,
{% endif %}
{% for gain in gains %}
{% if gain.gain %}
        {{ gain_of(gain) }} as {{ gain.gain | ident }},
{% endif %}
{% endfor %}
{% for level in levels %}
{% if level.hit %}
        cast(case when relevance >= {{ level.value | literal }} then 1 else 0 end as {{ double }}) as {{ level.hit | ident }},
{% endif %}
{% if level.query_relevant %}
        query_rows.{{ level.relevant | ident }} as {{ level.query_relevant | ident }},
{% endif %}
{% endfor %}
        relevance
    from ranked
{% if not carries %}
    inner join qrels_rows
        on ranked.query_id = qrels_rows.query_id and ranked.doc_id = qrels_rows.doc_id
{% endif %}
{% if beside %}
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif %}

{% endif %}
{% if carries %}
    where relevance is not null{% if limit %} and rank <= {{ limit }}{% endif %}

{% elif limit %}
    where rank <= {{ limit }}
{% endif %}
),

{% if windowed %}
-- the same with what stands above each of them
hitting_points as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        rank,
{% for gain in gains %}
{% if gain.gain %}
        {{ gain.gain | ident }},
{% endif %}
{% endfor %}
{% for level in levels %}
{% if level.hit %}
        {{ level.hit | ident }},
{% endif %}
{% if level.hits %}
        sum({{ level.hit | ident }}) over (
            partition by {{ keys }}
            order by rank
            rows between unbounded preceding and current row
        ) as {{ level.hits | ident }},
{% endif %}
{% if level.query_relevant %}
        {{ level.query_relevant | ident }},
{% endif %}
{% endfor %}
{% if diagnostics %}
        case
            when
                tied_above = 1 and gain <> coalesce(case
                    when lag(rank) over (partition by {{ keys }} order by rank) = rank - 1
                        then lag(gain) over (partition by {{ keys }} order by rank)
                end, 0)
                then 1
            when
                tied_below = 1{% if deepest %} and rank <= {{ deepest }}{% endif %} and gain <> coalesce(case
                    when lead(rank) over (partition by {{ keys }} order by rank) = rank + 1
                        then lead(gain) over (partition by {{ keys }} order by rank)
                end, 0)
                then 1
            else 0
        end as tied,
{% endif %}
        relevance
    from retrieved
),

{% endif %}
