{% from "macros/ranking.sql" import discounted %}
{% set gain %}{{ ideal.by_place.name | ident }}{% endset %}
-- the discounted gain of the judgments in the best order
{{ ideal.rows | ident }} as (
    select
        query_id,
{% for total in ideal.totals %}
{% set share %}{% if ideal.discount %}discounted_gain{% else %}{{ discounted(gain, "place", total.discount) }}{% endif %}{% endset %}
        sum({% if total.within %}case when place <= {{ total.within }} then {{ share }} else 0 end{% else %}{{ share }}{% endif %}) as {{ total.name | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
{% if ideal.discount %}
    from (
        select query_id, place, {{ discounted(gain, "place", ideal.discount) }} as discounted_gain
        from {{ ideal.by_place.rows | ident }}
    ) as places
{% else %}
    from {{ ideal.by_place.rows | ident }}
{% endif %}
{% if ideal.k %}
    where place <= {{ ideal.k }}
{% endif %}
    group by query_id
),
