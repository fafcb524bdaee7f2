{% from "macros/ids.sql" import column_of_id %}
{% from "macros/measures.sql" import values_of %}
{# The last depth that counts for a document: the end of the shorter ranking if both hold it by then, else of the longer. #}
{% macro last_depth(k) %}
case
            when pair_queries.shorter >= documents.place{% if k %} and pair_queries.shorter < {{ k }}{% endif %} then pair_queries.shorter
            when pair_queries.shorter < documents.place{% if k %} and pair_queries.longer < {{ k }}{% endif %} then pair_queries.longer
{% if k %}
            else {{ k }}
{% endif %}
        end
{%- endmacro %}
{% include "steps/header.sql" %}
with

{% include "steps/run.sql" %}
{% if copies != "error" %}
{% if copies == "sum" %}{% include "steps/collapsed.sql" %}{% else %}{% include "steps/copies.sql" %}{% endif %}
{% include "steps/candidates_alone.sql" %}
{% endif %}
{% include "steps/ranked.sql" %}
{% if run.carried %}
-- what the runs say of each query
described_queries as (
    select
{% for column in run.carried %}
        max({{ column.alias | ident }}) as {{ column.alias | ident }},
{% endfor %}
        query_id
    from run_rows
    group by query_id
),

{% endif %}
-- how many documents each ranking has
found_queries as (
    select
        system,
        query_id,
        count(*) as returned
    from ranked
{% if limit %}
    where rank <= {{ limit }}
{% endif %}
    group by system, query_id
),

-- the systems that are compared with the baseline
compared_systems as (
{% for name in compared %}
    select {{ name | literal }} as system
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
),

-- the queries with results in a system or in the baseline
pair_queries as (
    select
        system,
        query_id,
        max(returned) as returned,
        max(baseline_returned) as baseline_returned,
        case when max(returned) < max(baseline_returned) then max(returned) else max(baseline_returned) end as shorter,
        case when max(returned) < max(baseline_returned) then max(baseline_returned) else max(returned) end as longer
    from (
        select
            system,
            query_id,
            returned,
            0 as baseline_returned
        from found_queries
        where system <> {{ compared_with | literal }}

        union all

        select
            compared_systems.system as system,
            found_queries.query_id as query_id,
            0 as returned,
            found_queries.returned as baseline_returned
        from found_queries
        cross join compared_systems
        where found_queries.system = {{ compared_with | literal }}
    ) as sides
    group by system, query_id
),

-- the documents that are in both rankings, and the depth from which on both hold them
shared_documents as (
    select
        changed.system as system,
        changed.query_id as query_id,
{% if orders %}
        changed.score as score,
        original.score as baseline_score,
{% endif %}
        changed.rank as rank,
        original.rank as baseline_rank,
        case when changed.rank > original.rank then changed.rank else original.rank end as place
    from ranked as changed
    inner join ranked as original
        on changed.query_id = original.query_id and changed.doc_id = original.doc_id
    where
        changed.system <> {{ compared_with | literal }}
        and original.system = {{ compared_with | literal }}
{% if limit %}
        and changed.rank <= {{ limit }}
        and original.rank <= {{ limit }}
{% endif %}
),

{% if orders %}
-- how many shared documents score lower than each: in the system, in the baseline, in either, and against the baseline
compared_documents as (
    select
        system,
        query_id,
        rank,
        baseline_rank,
        place,
        rank() over (partition by system, query_id order by score asc) - 1 as above,
        rank() over (partition by system, query_id order by baseline_score asc) - 1 as above_in_baseline,
        rank() over (partition by system, query_id order by baseline_score asc, score asc) - 1 as above_in_either,
        rank(order by score desc) over (
            partition by system, query_id
            order by baseline_score asc, score asc
            rows between unbounded preceding and current row
        ) - 1 as swapped
    from shared_documents
),

{% endif %}
{% for weight in depth_weights %}
-- for p = {{ weight.p | literal }} the sum of p^d / d over the depths d below each
{{ weight.rows | ident }} as (
    select
        depth,
        coalesce(
            sum(case when depth = 0 then 0 else power({{ weight.p | literal }}, depth) / depth end) over (
                order by depth desc
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as weight
    from (
        select unnest(range(max(longer) + 1)) as depth
        from pair_queries
    ) as depths
),

{% endfor %}
{% for weight in above_weights %}
-- for p = {{ weight.p | literal }} the sum of p^d / d down to each depth
{{ weight.rows | ident }} as (
    select
        depth,
        sum(case when depth = 0 then 0 else power({{ weight.p | literal }}, depth) / depth end) over (
            order by depth asc
            rows between unbounded preceding and current row
        ) as weight
    from (
        select unnest(range(max(longer) + 1)) as depth
        from pair_queries
    ) as depths
),

{% endfor %}
-- the shared documents of each query; one row without a place where there is none
observations as (
    select
        pair_queries.system as system,
        pair_queries.query_id as query_id,
{% for segment in segments %}
        coalesce(
{% if segment.asked %}
            cast(asked.{{ segment.name | ident }} as {{ text }}),
{% endif %}
{% if segment.found %}
            described_queries.{{ segment.alias | ident }},
{% endif %}
            '(none)'
        ) as {{ segment.alias | ident }},
{% endfor %}
{% if asked.weight %}
        cast(asked.{{ asked.weight | ident }} as {{ double }}) as weight,
{% elif weighted %}
        described_queries.weight as weight,
{% endif %}
{% if "returned" in reads %}
        cast(pair_queries.returned as {{ double }}) as returned,
{% endif %}
{% if "baseline_returned" in reads %}
        cast(pair_queries.baseline_returned as {{ double }}) as baseline_returned,
{% endif %}
{% if "shared" in reads %}
        cast(case when documents.place is null then 0 else 1 end as {{ double }}) as shared,
{% endif %}
{% if "moved" in reads %}
        cast(abs(documents.rank - documents.baseline_rank) as {{ double }}) as moved,
{% endif %}
{% for name in ("above", "above_in_baseline", "above_in_either", "swapped") if name in reads %}
        cast(documents.{{ name | ident }} as {{ double }}) as {{ name | ident }},
{% endfor %}
{% for end in ends %}
        {{ last_depth(end.k) }} as {{ end.name | ident }},
{% endfor %}
{% for weight in depth_weights %}
        {{ weight.rows | ident }}.weight as {{ weight.from_place | ident }},
{% for end in weight.ends %}
        {{ end.rows | ident }}.weight as {{ end.name | ident }},
{% endfor %}
{% endfor %}
{% for weight in above_weights %}
        {{ weight.rows | ident }}.weight as {{ weight.name | ident }},
{% endfor %}
        documents.place as place
    from pair_queries
    left join {% if orders %}compared_documents{% else %}shared_documents{% endif %} as documents
        on pair_queries.system = documents.system and pair_queries.query_id = documents.query_id
{% if run.carried %}
    left join described_queries
        on pair_queries.query_id = described_queries.query_id
{% endif %}
{% if asked.relation %}
    left join {{ asked.relation }} as asked
        on pair_queries.query_id = cast(asked.{{ asked.query_id | ident }} as {{ text }}){{ bytewise }}
{% endif %}
{% for weight in depth_weights %}
    left join {{ weight.rows | ident }}
        on documents.place = {{ weight.rows | ident }}.depth + 1
{% for end in weight.ends %}
    left join {{ weight.rows | ident }} as {{ end.rows | ident }}
        on {{ last_depth(end.k) }} = {{ end.rows | ident }}.depth
{% endfor %}
{% endfor %}
{% for weight in above_weights %}
    left join {{ weight.rows | ident }}
        on documents.place = {{ weight.rows | ident }}.depth + 1
{% endfor %}
)

{% set query %}query_id{% endset %}
select
    system,
    query_id,
{% for column in id_columns %}
    {{ column_of_id(query, column.number) }} as {{ column.name | ident }},
{% endfor %}
{% for segment in segments %}
    max({{ segment.alias | ident }}) as {{ segment.alias | ident }},
{% endfor %}
{% if weighted %}
    max(weight) as weight,
{% endif %}
{{ values_of(measures) -}}
from observations
group by system, query_id
