{#
title = "team draft"
needs = ["team"]
credits = ["count", "any", "first", "last", "weights"]
citation = "F. Radlinski, M. Kurup and T. Joachims, CIKM 2008"
doi = "10.1145/1458082.1458092"
#}
{% set here %}({{ ("places_" ~ (weights | first)) | ident }} & counted){% endset %}
select
    impression_id,
{% for column in carried %}
    {{ column | ident }},
{% endfor %}
{% for team in teams %}
{% set side %}{{ ("team_" ~ loop.index) | ident }}{% endset %}
{% if credit == "any" %}
    case when ({{ here }} & {{ side }}) <> 0 then 1 else 0 end
{%- elif credit == "first" %}
    case when ({{ here }} & -{{ here }} & {{ side }}) <> 0 then 1 else 0 end
{%- elif credit == "last" %}
    case when ({{ here }} & {{ side }}) > ({{ here }} & ~{{ side }}) then 1 else 0 end
{%- else %}
    {% for action, weight in weights.items() %}{{ weight | literal }} * bit_count({{ ("places_" ~ action) | ident }} & counted & {{ side }}){% if not loop.last %} + {% endif %}{% endfor %}
{%- endif %} as {{ ("credit_" ~ loop.index) | ident }},
{% endfor %}
    case when {% for action in weights %}{{ ("places_" ~ action) | ident }} & compared <> 0{% if not loop.last %} or {% endif %}{% endfor %} then 1 else 0 end as happened,
    team_1 & 1 as first_pick,
    bit_count(team_1 & {{ odd }}) as first_picks,
    bit_count((team_1 | team_2) & {{ odd }}) as rounds,
    {%+ if neutral %}bit_count(neutral & compared){% else %}0{% endif %} as shared,
    case when compared <> places then 1 else 0 end as cut,
    broken
from (
    select
        *,
        {%+ if neutral %}compared & ~neutral{% else %}compared{% endif %} as counted,
{% if teams | length == 2 %}
        -- from the first round on that is none, all picks are of one ranker where the other has no documents left
        case when team_1 & ~compared <> 0 and team_2 & ~compared <> 0 then 1 else 0 end as broken
{% else %}
        case when greatest({% for team in teams %}bit_count({{ ("team_" ~ loop.index) | ident }}){% if not loop.last %}, {% endif %}{% endfor %}) - least({% for team in teams %}bit_count({{ ("team_" ~ loop.index) | ident }}){% if not loop.last %}, {% endif %}{% endfor %}) > 1 then 1 else 0 end as broken
{% endif %}
    from (
        select
            *,
            {%+ if teams | length == 2 %}case when uneven = 0 then places else places & ((uneven & -uneven) - 1) end{% else %}places{% endif %} as compared
        from (
            select
                *,
                -- rounds of two picks that are not one of each
                places & (places >> 1) & {{ odd }} & ~((team_1 & (team_2 >> 1)) | (team_2 & (team_1 >> 1))) as uneven
            from {{ picks }}
        ) as rounds
    ) as compared
) as counted
