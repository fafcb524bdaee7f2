{# A count is summed: its queries weigh 1, and nothing is divided. #}
{% set names %}{% for segment in segments %}{{ segment.alias | ident }}, {% endfor %}{% if segments %}is_total, {% endif %}{% endset %}
-- of each mean: the standard error that the labels give it, and how far it is from the mean over the draws of the labels,
-- which vary apart from one query to another
with

scoped as (
{% for is_total in ([false, true] if segments else [true]) %}
    select
        system,
        query_id,
{% for segment in segments %}
        {%+ if is_total %}cast(null as varchar) as {% endif %}{{ segment.alias | ident }},
{% endfor %}
{% if segments %}
        {{ is_total | literal }} as is_total,
{% endif %}
        unnest({{ texts | literal }}) as metric,
        unnest({{ counts | literal }}) as is_count,
        {%+ if weighted %}weight / nullif(max(weight) over (), 0){% else %}1.0{% endif %} as weight,
        unnest(cast([{% for column in columns %}{{ column | ident }}{% if not loop.last %}, {% endif %}{% endfor %}] as double[])) as value
    from {{ per_query }}
{% if not loop.last %}

    union all

{% endif %}
{% endfor %}
),

moved as (
    select
        scoped.* replace (case when is_count then 1.0 else weight end as weight),
        coalesce(spreads.shift, 0) as shift,
        coalesce(spreads.variance, 0) as variance
    from scoped
    left join {{ contrasts }} as contrasts
        on scoped.system = contrasts.system and contrasts.members = 1
    left join {{ spreads }} as spreads
        on
            contrasts.contrast = spreads.contrast
            and scoped.query_id = spreads.query_id
            and scoped.metric = spreads.metric
    where scoped.value is not null
),

summed as (
    select
        system,
        {{ names }}metric,
        sqrt(fsum(weight * weight * variance)) / case when any_value(is_count) then 1 else nullif(fsum(weight), 0) end as label_stderr,
        fsum(weight * shift) / case when any_value(is_count) then 1 else nullif(fsum(weight), 0) end as label_shift
    from moved
    group by system, {{ names }}metric
)

-- a mean that differs by less than a few standard errors of so many draws does not
select
    * replace (case when abs(label_shift) > {{ certain | literal }} * label_stderr then label_shift else 0 end as label_shift)
from summed
