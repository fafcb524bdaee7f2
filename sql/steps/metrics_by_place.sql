{% from "macros/measures.sql" import values_of %}
{% from "macros/stacks.sql" import stacked with context %}
-- the metrics that read sums down to each place, of the columns that they need
metrics_by_place as (
    select
        {{ keys }},
{% set values %}{{ values_of(measures_by_place, empty_value) }}{% endset %}
    {{ values.rstrip() | indent }}
    from (
{% set rows %}{{ stacked(observed_by_place) }}{% endset %}
    {{ rows.rstrip() | indent }}
    ) as places
    group by {{ keys }}
),
