{% from "macros/ranking.sql" import weight_of %}
-- of each contrast, query and metric that is a weighted sum of labels: the sum of the squared weights times the variances
with

weights as (
    select
        contrasts.contrast as contrast,
        queries.number as query,
        places.doc_id as doc_id,
{% for measure in measures %}
        sum(contrasts.sign * {% if measure.k %}case when places.rank <= {{ measure.k }} then {{ weight_of("rank", measure.discount) }} else 0 end{% else %}{{ weight_of("rank", measure.discount) }}{% endif %}) as weight_{{ loop.index }}{% if not loop.last %},{% endif +%}
{% endfor %}
    from ({{ places }}) as places
    inner join {{ contrasts }} as contrasts
        on places.system = contrasts.system
    inner join {{ queries }} as queries
        on places.query_id = queries.query_id
    where places.relevance is not null
    group by contrasts.contrast, queries.number, places.doc_id
),

variances as (
    select
        weights.contrast as contrast,
        weights.query as query,
        unnest([{% for measure in measures %}{{ measure.text | literal }}{% if not loop.last %}, {% endif %}{% endfor %}]) as metric,
        unnest([{% for measure in measures %}power(weight_{{ loop.index }} * labels.sd, 2){% if not loop.last %}, {% endif %}{% endfor %}]) as variance
    from weights
    inner join {{ labels }} as labels
        on weights.query = labels.query and weights.doc_id = labels.doc_id
)

select
    contrast,
    query,
    metric,
    fsum(variance) as variance
from variances
group by contrast, query, metric
