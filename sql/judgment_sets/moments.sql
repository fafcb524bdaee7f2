-- of each pair and metric: the differences under people's judgments and under a model's, of the queries that both judged,
-- and under the model's of all others
with

labelled as (
    select
        people.system,
        people.baseline,
        people.metric,
        count(*) as labelled,
        sum(case when people.value <> people.baseline_value then 1 else 0 end) as changed,
        max(abs(people.value - people.baseline_value)) as largest,
        avg(people.value - people.baseline_value) as people_mean,
        avg(model.value - model.baseline_value) as model_mean,
        var_samp(people.value - people.baseline_value) as people_variance,
        var_samp(model.value - model.baseline_value) as model_variance,
        covar_samp(people.value - people.baseline_value, model.value - model.baseline_value) as covariance
    from {{ people }} as people
    inner join {{ model }} as model
        on
            people.system = model.system
            and people.baseline = model.baseline
            and people.metric = model.metric
            and people.query_id = model.query_id
    where people.value - people.baseline_value is not null and model.value - model.baseline_value is not null
    group by people.system, people.baseline, people.metric
),

others as (
    select
        model.system,
        model.baseline,
        model.metric,
        count(*) as others,
        avg(model.value - model.baseline_value) as others_mean,
        var_samp(model.value - model.baseline_value) as others_variance
    from {{ model }} as model
    left join {{ people }} as people
        on
            model.system = people.system
            and model.baseline = people.baseline
            and model.metric = people.metric
            and model.query_id = people.query_id
    where people.query_id is null and model.value - model.baseline_value is not null
    group by model.system, model.baseline, model.metric
)

select
    labelled.*,
    others.others,
    others.others_mean,
    others.others_variance
from labelled
inner join others
    on labelled.system = others.system and labelled.baseline = others.baseline and labelled.metric = others.metric
