{% from "macros/steps.sql" import made_in, of_its_query %}
{% from "macros/ranking.sql" import id_of, keys_of %}
{% if showing %}
{% if history %}
-- how often each document stands in the history
known_items as (
    select
        {{ id_of(history.doc_id) }} as doc_id,
        cast(count(*) as {{ double }}) as interactions,
        cast(count(distinct {{ id_of(history.query_id) }}) as {{ double }}) as users
    from {{ history.relation }}
    group by {{ id_of(history.doc_id) }}
),
history_totals as (
    select
        cast(count(*) as {{ double }}) as interactions,
        cast(count(distinct {{ id_of(history.query_id) }}) as {{ double }}) as users
    from {{ history.relation }}
),
{% endif %}
{% if baseline %}
-- the places of the documents in the baseline
baseline_ranks as (
    select
        {{ id_of(baseline.query_id) }} as query_id,
        {{ id_of(baseline.doc_id) }} as doc_id,
        row_number() over (
            partition by {{ id_of(baseline.query_id) }}
            order by cast({{ baseline.score | ident }} as {{ double }}) {{ baseline.direction }}, {% if ties == "number-desc" %}length({{ id_of(baseline.doc_id) }}) desc, {% endif %}{{ id_of(baseline.doc_id) }} desc
        ) as rank
    from {{ baseline.relation }}
),
baseline_queries as (
    select query_id
    from baseline_ranks
    group by query_id
),
{% endif %}
-- the first documents of every ranking, judged or not
shown_rows as (
    select
        {{ keys_of("ranked", several) }},{{ made_in("shown_rows", columns) }}
        ranked.rank as place
    from ranked
{% if history %}
    left join known_items
        on ranked.doc_id = known_items.doc_id
    cross join history_totals
{% endif %}
{% if baseline %}
    left join baseline_ranks
        on ranked.query_id = baseline_ranks.query_id and ranked.doc_id = baseline_ranks.doc_id
    left join baseline_queries
        on ranked.query_id = baseline_queries.query_id
{% endif %}
{% if categories %}
    left join {{ items.relation }} as catalogue
        on ranked.doc_id = cast(catalogue.{{ items.doc_id | ident }} as {{ text }}){{ bytewise }}
{% endif %}
    {{ of_its_query(several) }}
    where ranked.rank <= {{ showing }}{% if depth and unjudged != "remove" %} and ranked.rank <= {{ depth }}{% endif %}

),
{% endif %}
