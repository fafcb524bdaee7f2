{% from "macros/ranking.sql" import discounted, has_gain, worth_of %}
{% set relevances %}max(relevance, {{ ideal.k }}){% endset %}
{% set held %}{% if ideal.discount %}gains{% else %}relevances{% endif %}{% endset %}
{% macro gains_of(relevances, discount) %}[{{ discounted(worth_of(ideal.gain), "ideal_rank", discount) }} for relevance, ideal_rank in {{ relevances }}]{% endmacro %}
-- the discounted gain of {% if ideal.kind == "retrieved" %}what was found{% else %}the judgments{% endif %} in the best order
{{ ideal.rows | ident }} as (
{% if ideal.totals | length == 1 %}
    select {{ ideal.grouping }}, list_sum({{ gains_of(relevances, ideal.totals[0].discount) }}) as {{ ideal.totals[0].name | ident }}
    from {{ ideal.source }}
    where {{ has_gain(ideal.gain) }}
    group by {{ ideal.grouping }}
{% else %}
    select
        {{ ideal.grouping }},
{% for total in ideal.totals %}
{% set first %}{{ held }}{% if total.within %}[:{{ total.within }}]{% endif %}{% endset %}
        list_sum({% if ideal.discount %}{{ first }}{% else %}{{ gains_of(first, total.discount) }}{% endif %}) as {{ total.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from (
        select {{ ideal.grouping }}, {% if ideal.discount %}{{ gains_of(relevances, ideal.discount) }}{% else %}{{ relevances }}{% endif %} as {{ held }}
        from {{ ideal.source }}
        where {{ has_gain(ideal.gain) }}
        group by {{ ideal.grouping }}
    ) as rankings
{% endif %}
),
