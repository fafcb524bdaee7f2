{% from "macros/steps.sql" import carried_name, first_documents, run_keys, with_scores with context %}
{% set deeper %}    {% endset %}
-- the rank of each document, down to the last that counts
ranked as (
    select {{ keys }}, unnest(first_ones).{{ carried_name() }} as {{ carried_name() }}, generate_subscripts(first_ones, 1) as rank
    from (
        {{ first_documents() }}
        from {{ run.relation }}
        {{ with_scores(deeper) }}
        group by {{ run_keys() }}
    ) as rankings
),
