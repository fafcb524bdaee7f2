{% from "macros/labels.sql" import log_gamma_of, uniform_of %}
-- the labels of some draws: the query of a row is that of a draw
with

hashed as (
    select
        labels.*,
        query * {{ draws }} + draw as query_id,
        case when shape is not null then md5_number({{ seed | literal }} || ':' || draw || ':' || key) end as bits
    from {{ labels }} as labels
    cross join (select unnest(range({{ first }}, {{ last }})) as draw) as drawn
),

-- two normal numbers, by Box and Muller, and two uniform ones
random as (
    select
        *,
        sqrt(-2 * ln({{ uniform_of("bits", 0) }})) * cos(2 * pi() * {{ uniform_of("bits", 1) }}) as normal_one,
        sqrt(-2 * ln({{ uniform_of("bits", 0) }})) * sin(2 * pi() * {{ uniform_of("bits", 1) }}) as normal_other,
        {{ uniform_of("bits", 2) }} as uniform_one,
        {{ uniform_of("bits", 3) }} as uniform_other
    from hashed
),

gammas as (
    select
        *,
        {{ log_gamma_of("shape", "normal_one", "uniform_one") }} as log_one,
        {{ log_gamma_of("other_shape", "normal_other", "uniform_other") }} as log_other
    from random
)

select
    query_id,
    doc_id,
{% if subtopics %}
    subtopic,
{% endif %}
    case
        when shape is null then relevance
        when other_shape is null then relevance / shape * exp(log_one)
        else top / (1 + exp(least(log_other - log_one, 700)))
    end as relevance
from gammas
