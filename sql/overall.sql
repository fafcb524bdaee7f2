{% include "steps/header.sql" %}
with


{% include "steps/run.sql" %}
{% include "steps/qrels.sql" %}
{% include "steps/candidates.sql" %}
{% include "steps/ranked.sql" %}
{% include "steps/queries.sql" %}
{% if items %}
-- the documents that could be shown
catalogue_items as (
    select cast({{ items.doc_id | ident }} as {{ text }}) as doc_id
    from {{ items.relation }}
    where {{ items.doc_id | ident }} is not null
    group by cast({{ items.doc_id | ident }} as {{ text }})
),

catalogue_size as (
    select cast(count(*) as {{ double }}) as items
    from catalogue_items
),

{% endif %}
-- the rankings of the queries that are evaluated{% if segments %}, each in its segment and in the total{% endif %}

ranked_documents as (
{% for total in scopes %}
    select
        {%+ if several %}ranked.system{% else %}{{ system | literal }} as system{% endif %},
{% for segment in segments %}
        {%+ if total %}'' as {{ segment.alias | ident }}{% else %}query_rows.{{ segment.alias | ident }}{% endif %},
{% endfor %}
{% if segments %}
        {%+ if total %}true{% else %}false{% endif %} as is_total,
{% endif %}
{% if needs_score %}
        ranked.score,
{% endif %}
{% if carries %}
        ranked.relevance,
{% endif %}
        ranked.query_id,
        ranked.doc_id,
        ranked.rank
    from ranked
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif %}

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
    scope_sizes.system,
{% for segment in segments %}
    case when scope_sizes.is_total then null else scope_sizes.{{ segment.alias | ident }} end as {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    scope_sizes.is_total,
{% endif %}
    {{ measure.text | literal }} as metric,
    overall.value,
    scope_sizes.queries,
    cast(null as {{ double }}) as stderr
from scope_sizes
left join (
{% for line in measure.lines %}
    {{ line }}
{% endfor %}
) as overall
    on scope_sizes.system = overall.system
{%- for segment in segments %} and scope_sizes.{{ segment.alias | ident }} = overall.{{ segment.alias | ident }}{% endfor %}
{% if segments %} and scope_sizes.is_total = overall.is_total{% endif %}

{% if not loop.last %}

union all

{% endif %}
{% endfor %}
