{% if showing %}
{% if history %}
-- how often each document stands in the history
known_items as (
    select
        cast({{ history.doc_id | ident }} as {{ text }}){{ bytewise }} as doc_id,
        cast(count(*) as {{ double }}) as interactions,
        cast(count(distinct cast({{ history.query_id | ident }} as {{ text }}){{ bytewise }}) as {{ double }}) as users
    from {{ history.relation }}
    group by cast({{ history.doc_id | ident }} as {{ text }}){{ bytewise }}
),

history_totals as (
    select
        cast(count(*) as {{ double }}) as interactions,
        cast(count(distinct cast({{ history.query_id | ident }} as {{ text }}){{ bytewise }}) as {{ double }}) as users
    from {{ history.relation }}
),

{% endif %}
{% if baseline %}
-- the places of the documents in the baseline
baseline_ranks as (
    select
        cast({{ baseline.query_id | ident }} as {{ text }}){{ bytewise }} as query_id,
        cast({{ baseline.doc_id | ident }} as {{ text }}){{ bytewise }} as doc_id,
        row_number() over (
            partition by cast({{ baseline.query_id | ident }} as {{ text }}){{ bytewise }}
            order by cast({{ baseline.score | ident }} as {{ double }}) {{ baseline.direction }}, {% if ties == "number-desc" %}length(cast({{ baseline.doc_id | ident }} as {{ text }}){{ bytewise }}) desc, {% endif %}cast({{ baseline.doc_id | ident }} as {{ text }}){{ bytewise }} desc
        ) as rank
    from {{ baseline.relation }}
),

baseline_queries as (
    select query_id
    from baseline_ranks
    group by query_id
),

{% endif %}
{% set keys_of_ranked -%}
{% if several %}ranked.system, {% endif %}ranked.query_id
{%- endset %}
-- the first documents of every ranking, judged or not
shown_rows as (
    select
{% if several %}
        ranked.system as system,
{% endif %}
        ranked.query_id as query_id,
{% if history %}
        coalesce(known_items.interactions, cast(0 as {{ double }})) as popularity,
        history_totals.interactions as history_rows,
        ln(history_totals.users / coalesce(known_items.users, 1)) / ln(2.0) as self_information,
        ln(history_totals.users) / ln(2.0) as top_information,
{% endif %}
{% if baseline %}
        cast(coalesce(baseline_ranks.rank, 0) as {{ double }}) as expected,
        cast(case when baseline_queries.query_id is null then 0 else 1 end as {{ double }}) as in_baseline,
{% endif %}
{% if categories %}
        cast(case
            when catalogue.category is null then 0
            else row_number() over (partition by {{ keys_of_ranked }}, catalogue.category order by ranked.rank) - 1
        end as {{ double }}) as alike_above,
        cast(case
            when catalogue.category is null then 1
            when row_number() over (partition by {{ keys_of_ranked }}, catalogue.category order by ranked.rank) = 1 then 1
            else 0
        end as {{ double }}) as first_of_category,
{% endif %}
{% if categories %}
        cast(case when catalogue.category is null then 0 else 1 end as {{ double }}) as categorised,
{% endif %}
        cast(1 as {{ double }}) as shown,
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
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif %}

    where ranked.rank <= {{ showing }}{% if depth and unjudged != "remove" %} and ranked.rank <= {{ depth }}{% endif %}

),

{% endif %}
