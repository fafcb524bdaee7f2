{% from "macros/steps.sql" import made_in with context %}
-- the same with what stands above and below them
group_rows as (
    select
        {{ keys }},{{ made_in("group_rows", ["score_groups"]) }}
        place
    from score_groups
),
