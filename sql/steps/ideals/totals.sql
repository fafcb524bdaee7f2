{% from "macros/ranking.sql" import discounted, weighed, worth_of %}
{% set worth %}{% if ideal.weighed %}{{ weighed(ideal.gain, "item_weight" | ident) }}{% else %}{{ worth_of(ideal.gain) }}{% endif %}{% endset %}
-- the discounted gain of {% if ideal.kind == "retrieved" %}what was found{% else %}the judgments{% endif %} in the best order
{{ ideal.rows | ident }} as (
{% set between %}{% if ideal.totals | length == 1 %} {% else +%}
        {%+ endif %}{% endset %}
    select{{ between }}{{ ideal.grouping }},
{%- for total in ideal.totals %}
{% set share %}{% if ideal.discount %}discounted_gain{% else %}{{ discounted(worth, "ideal_rank", total.discount) }}{% endif %}{% endset %}
{{ between }}sum({% if total.within %}case when ideal_rank <= {{ total.within }} then {{ share }} else 0 end{% else %}{{ share }}{% endif %}) as {{ total.name | ident }}{% if not loop.last %},{% endif %}
{% endfor %}

    from (
{% set ordered %}{% include "steps/ideals/by_rank.sql" %}{% endset %}
{% if ideal.discount %}
        select {{ ideal.grouping }}, {{ discounted(worth, "ideal_rank", ideal.discount) }} as discounted_gain, ideal_rank
        from (
            {{ ordered.rstrip() | indent }}
        ) as ordered
{% else %}
        {{ ordered.rstrip() }}
{% endif %}
    ) as places
{% if ideal.k %}
    where ideal_rank <= {{ ideal.k }}
{% endif %}
    group by {{ ideal.grouping }}
),
