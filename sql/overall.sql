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

{% endif %}
-- the rankings of the queries that are evaluated{% if segments %}, each in its segment and in the total{% endif %}

documents as (
{% for total in scopes %}
    select
        {%+ if several %}ranked.system{% else %}{{ system | literal }} as system{% endif %},
{% for segment in segments %}
        {%+ if total %}''{% else %}query_rows.{{ segment.alias | ident }}{% endif %} as {{ segment.alias | ident }},
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
sizes as (
    select
        {{ scope }},
        count(distinct query_id) as queries
    from documents
    group by {{ scope }}
)

{% for measure in measures %}
select
    sizes.system,
{% for segment in segments %}
    case when sizes.is_total then null else sizes.{{ segment.alias | ident }} end as {{ segment.alias | ident }},
{% endfor %}
{% if segments %}
    sizes.is_total,
{% endif %}
    {{ measure.text | literal }} as metric,
    overall.value,
    sizes.queries,
    cast(null as {{ double }}) as stderr
from sizes
left join (
{% for line in measure.lines %}
    {{ line }}
{% endfor %}
) as overall
    on sizes.system = overall.system
{%- for segment in segments %} and sizes.{{ segment.alias | ident }} = overall.{{ segment.alias | ident }}{% endfor %}
{% if segments %} and sizes.is_total = overall.is_total{% endif %}

{% if not loop.last %}

union all

{% endif %}
{% endfor %}
