{% from "macros/keys.sql" import keys_in, keys_of, one_ranking with context %}
-- how deep the two rankings of each query are compared
agreement_depths as (
    select
        {{ keys }},
        gainful as ideal_documents,
        case when retrieved > gainful then retrieved else gainful end as depth
    from query_rows
),
-- every depth that any ranking is compared at
depth_numbers as (
    select cast(place as {{ double }}) as depth
    from (
        select rank as place
        from ranked
        union all
        select row_number() over (partition by query_id order by doc_id asc) as place
        from judged
        union all
        select 0 as place
        from ranked
        where rank = 1
    ) as places
    group by place
),
-- the weight of every depth, and the sum of weight / depth down to it
depth_weights as (
    select
{% for each in persistences %}
        power({{ each.p | literal }}, depth) as {{ ("weight_of_" ~ each.agreement) | ident }},
        sum(case when depth = 0 then 0 else power({{ each.p | literal }}, depth - 1) / depth end) over (
            order by depth asc
            rows between unbounded preceding and current row
        ) as {{ ("shares_of_" ~ each.agreement) | ident }},
{% endfor %}
        depth
    from depth_numbers
),
-- the place in the ideal ranking of each document found: by relevance, then as ranked
ideal_places as (
    select
        {{ keys_of("query_rows") }},
        ranked.rank as rank,
        row_number() over (
            partition by {{ keys_in("query_rows") }}
            order by
                judged.relevance desc,
                case when ranked.rank is null then 1 else 0 end asc,
                ranked.rank asc,
                judged.doc_id asc
        ) as ideal_rank
    from query_rows
    inner join judged
        on query_rows.query_id = judged.query_id
    left join ranked
        on {{ one_ranking("query_rows", "ranked") }} and judged.doc_id = ranked.doc_id{% if last_depth %} and ranked.rank <= {{ last_depth }}{% endif +%}
    where judged.relevance > 0
),
-- from which depth on both rankings hold a document
meeting_depths as (
    select
        {{ keys_of("ideal_places") }},
        case when ideal_places.rank > ideal_places.ideal_rank then ideal_places.rank else ideal_places.ideal_rank end as met_at,
        agreement_depths.depth as depth
    from ideal_places
    inner join agreement_depths
        on {{ one_ranking("ideal_places", "agreement_depths") }}
    where ideal_places.rank is not null
),
agreed_rows as (
    select
        {{ keys_of("meeting_depths") }},
{% for each in persistences %}
{% set shares = "shares_of_" ~ each.agreement %}
        to_end.{{ shares | ident }} - to_start.{{ shares | ident }} as {{ each.agreement | ident }},
        cast(0 as {{ double }}) as {{ each.agreement_best | ident }},
        cast(0 as {{ double }}) as {{ each.agreement_weight | ident }},
{% endfor %}
        meeting_depths.met_at as place
    from meeting_depths
    inner join depth_weights as to_end
        on meeting_depths.depth = to_end.depth
    inner join depth_weights as to_start
        on cast(meeting_depths.met_at - 1 as {{ double }}) = to_start.depth

    union all

    select
        {{ keys_of("agreement_depths") }},
{% for each in persistences %}
{% set shares = "shares_of_" ~ each.agreement %}
{% set weight = "weight_of_" ~ each.agreement %}
        0 as {{ each.agreement | ident }},
        (1 - to_ideal.{{ weight | ident }}) / (1 - {{ each.p | literal }}) + agreement_depths.ideal_documents * (to_end.{{ shares | ident }} - to_ideal.{{ shares | ident }}) as {{ each.agreement_best | ident }},
        (1 - to_end.{{ weight | ident }}) / (1 - {{ each.p | literal }}) as {{ each.agreement_weight | ident }},
{% endfor %}
        null as place
    from agreement_depths
    inner join depth_weights as to_end
        on agreement_depths.depth = to_end.depth
    inner join depth_weights as to_ideal
        on agreement_depths.ideal_documents = to_ideal.depth
),
