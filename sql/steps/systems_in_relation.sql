{% from "macros/ranking.sql" import id_of %}
{% from "macros/steps.sql" import with_scores with context %}
-- the systems
system_rows as (
    select distinct {{ id_of(run.system) }} as system
    from {{ run.relation }}
    {{ with_scores(part=false) }}
),
