{% from "macros/ranking.sql" import id_of %}
-- the systems
system_rows as (
    select distinct system
    from (select {{ id_of(run.system) }} as system from {{ run.relation }}) as named
),
