{% from "macros/ranking.sql" import id_of %}
{% include "steps/header.sql" %}
with

{% include "steps/given.sql" %}
{% for step in document_steps %}
{% include step %}
{% endfor %}
{% for step in query_steps %}
{% include step %}
{% endfor %}
{% if items %}
-- the documents that could be shown
catalogue_items as (
    select {{ id_of(items.doc_id) }} as doc_id
    from {{ items.relation }}
    where {{ items.doc_id | ident }} is not null
    group by {{ id_of(items.doc_id) }}
),

catalogue_size as (
    select cast(count(*) as {{ double }}) as items
    from catalogue_items
),

{% endif %}
-- the rankings of the queries that are evaluated{% if segments %}, each in its segment and in the total{% endif +%}
ranked_documents as (
{% for total in scopes %}
    select
        {%+ if several %}ranked.system{% else %}{{ system | literal }}{% endif %} as system,
{% for segment in segments %}
        {%+ if total %}''{% else %}query_rows.{{ segment.alias | ident }}{% endif %} as {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
        {%+ if total %}true{% else %}false{% endif %} as is_total,
{% endif %}
{% if needs_score %}
        ranked.score as score,
{% endif %}
{% if carries %}
        ranked.relevance as relevance,
{% endif %}
        ranked.query_id as query_id,
        ranked.doc_id as doc_id,
        ranked.rank as rank
    from ranked
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif +%}
{% if depth and unjudged != "remove" %}
    where ranked.rank <= {{ depth }}
{% endif %}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

-- how many queries have results
scope_sizes as (
    select
        {{ scope }},
        count(distinct query_id) as queries
    from ranked_documents
    group by {{ scope }}
)

{% for measure in measures %}
select
    scope_sizes.system as system,
{% for segment in segments %}
    case when scope_sizes.is_total then null else scope_sizes.{{ segment.alias | ident }} end as {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    scope_sizes.is_total as is_total,
{% endif %}
    {{ measure.text | literal }} as metric,
    {%+ if typed %}overall.value{% else %}cast(overall.value as {{ double }}){% endif %} as value,
    scope_sizes.queries as queries,
    cast(null as {{ double }}) as stderr
from scope_sizes
left join (
{% for line in measure.lines %}
    {{ line }}
{% endfor %}
) as overall
    on scope_sizes.system = overall.system
{%- for segment in segments %} and scope_sizes.{{ segment.alias | ident }} = overall.{{ segment.alias | ident }}{% endfor %}
{% if segments %} and scope_sizes.is_total = overall.is_total{% endif +%}
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
