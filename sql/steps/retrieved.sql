{% from "macros/ranking.sql" import chance_of, gain_of, grade_of, hit_of, miss_of, relstring_code_of, worth %}
{% if averaged %}
{% set tied_group -%}
over (partition by {% if several %}ranked.system, {% endif %}ranked.query_id, ranked.score)
{%- endset %}
-- the documents, each with the mean of those of its score
averaged as (
    select
{% if several %}
        ranked.system as system,
{% endif %}
        ranked.query_id as query_id,
        ranked.rank as rank,
{% if diagnostics %}
        tied_above,
        tied_below,
{% endif %}
{% for gain in gains %}
{% if gain.gain %}
        avg({{ gain_of(gain) }}) {{ tied_group }} as {{ gain.gain | ident }},
{% endif %}
{% endfor %}
{% for level in levels %}
{% if level.hit %}
        avg({{ hit_of(level.value) }}) {{ tied_group }} as {{ level.hit | ident }},
{% endif %}
{% if level.miss %}
        avg({{ miss_of(level.value) }}) {{ tied_group }} as {{ level.miss | ident }},
{% endif %}
{% endfor %}
{% for scale in scales %}
        avg(coalesce(cast({{ grade_of(scale.min, scale.max) }} as {{ double }}), 0)) {{ tied_group }} as {{ scale.place_grade | ident }},
{% endfor %}
        avg(cast(case when relevance is null then 0 else 1 end as {{ double }})) {{ tied_group }} as judged,
        relevance
    from ranked
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif %}

{% if scaled %}
    cross join scale_rows
{% endif %}
),

{% endif %}
-- the documents found that were judged
retrieved as (
    select
{% if several %}
        ranked.system as system,
{% endif %}
        ranked.query_id as query_id,
        ranked.rank as rank,
{% if diagnostics %}
        ranked.tied_above as tied_above,
        ranked.tied_below as tied_below,
{% endif %}
{% for gain in gains %}
{% if gain.gain and averaged %}
        ranked.{{ gain.gain | ident }} as {{ gain.gain | ident }},
{% elif gain.gain %}
        {{ gain_of(gain) }} as {{ gain.gain | ident }},
{% endif %}
{% endfor %}
{% for level in levels %}
{% if level.hit and averaged %}
        ranked.{{ level.hit | ident }} as {{ level.hit | ident }},
{% elif level.hit %}
        {{ hit_of(level.value) }} as {{ level.hit | ident }},
{% endif %}
{% if level.miss and averaged %}
        ranked.{{ level.miss | ident }} as {{ level.miss | ident }},
{% elif level.miss %}
        {{ miss_of(level.value) }} as {{ level.miss | ident }},
{% endif %}
{% if level.query_relevant %}
        query_rows.{{ level.relevant | ident }} as {{ level.query_relevant | ident }},
{% endif %}
{% if level.query_nonrelevant %}
        query_rows.{{ level.nonrelevant | ident }} as {{ level.query_nonrelevant | ident }},
{% endif %}
{% endfor %}
{% for stop in stops %}
        {{ chance_of(stop.max) }} as {{ stop.stop | ident }},
{% endfor %}
{% for scale in scales %}
        {%+ if averaged %}ranked.{{ scale.place_grade | ident }} as {{ scale.place_grade | ident }}{% else %}cast({{ grade_of(scale.min, scale.max) }} as {{ double }}) as {{ scale.place_grade | ident }}{% endif %},
{% endfor %}
{% if averaged %}
        ranked.judged as judged,
{% endif %}
{% if relstring_code %}
        {{ relstring_code_of() }} as relstring_code,
{% endif %}
        relevance
    from {% if averaged %}averaged as {% endif %}ranked
{% if not carries %}
    inner join qrels_rows
        on ranked.query_id = qrels_rows.query_id and ranked.doc_id = qrels_rows.doc_id
{% endif %}
{% if beside %}
    inner join query_rows
        on ranked.query_id = query_rows.query_id{% if several %} and ranked.system = query_rows.system{% endif %}

{% endif %}
{% if scaled and not averaged %}
    cross join scale_rows
{% endif %}
{% if carries and not averaged %}
    where relevance is not null{% if limit %} and rank <= {{ limit }}{% endif %}

{% elif limit %}
    where rank <= {{ limit }}
{% endif %}
),

{% if windowed %}
-- the same with what stands above each of them
hitting_points as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        rank,
{% for gain in gains %}
{% if gain.gain %}
        {{ gain.gain | ident }},
{% endif %}
{% endfor %}
{% for level in levels %}
{% if level.hit %}
        {{ level.hit | ident }},
{% endif %}
{% if level.hits %}
        sum({{ level.hit | ident }}) over (
            partition by {{ keys }}
            order by rank
            rows between unbounded preceding and current row
        ) as {{ level.hits | ident }},
{% endif %}
{% if level.miss %}
        {{ level.miss | ident }},
{% endif %}
{% if level.misses %}
        sum({{ level.miss | ident }}) over (
            partition by {{ keys }}
            order by rank
            rows between unbounded preceding and current row
        ) as {{ level.misses | ident }},
{% endif %}
{% if level.query_relevant %}
        {{ level.query_relevant | ident }},
{% endif %}
{% if level.query_nonrelevant %}
        {{ level.query_nonrelevant | ident }},
{% endif %}
{% endfor %}
{% for scale in scales %}
        {{ scale.place_grade | ident }},
{% endfor %}
{% if averaged %}
        judged,
{% endif %}
{% for stop in stops %}
        {{ stop.stop | ident }},
{% if stop.stop_reached %}
        exp(coalesce(sum(ln(1 - {{ stop.stop | ident }})) over (
            partition by {{ keys }}
            order by rank
            rows between unbounded preceding and 1 preceding
        ), 0)) as {{ stop.stop_reached | ident }},
{% endif %}
{% endfor %}
{% if negatives %}
        sum(cast(case when relevance < 0 then 1 else 0 end as {{ double }})) over (
            partition by {{ keys }}
            order by rank
            rows between unbounded preceding and current row
        ) as negatives,
{% endif %}
{% if relstring_code %}
        relstring_code,
{% endif %}
{% if unjudged_above %}
        cast(rank - 1 - coalesce(lag(rank) over (partition by {{ keys }} order by rank), 0) as {{ double }}) as unjudged_above,
{% endif %}
        relevance
    from retrieved
),

{% endif %}
{% if diagnostics %}
-- the documents whose place depends on the order of ties
tied_rows as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        case
            when {{ worth() }} = 0 then 0
            when
                tied_above = 1 and {{ worth() }} <> coalesce(case
                    when lag(rank) over (partition by {{ keys }} order by rank) = rank - 1
                        then lag({{ worth() }}) over (partition by {{ keys }} order by rank)
                end, 0)
                then 1
            when
                tied_below = 1{% if deepest %} and rank <= {{ deepest }}{% endif %} and {{ worth() }} <> coalesce(case
                    when lead(rank) over (partition by {{ keys }} order by rank) = rank + 1
                        then lead({{ worth() }}) over (partition by {{ keys }} order by rank)
                end, 0)
                then 1
            else 0
        end as tied
    from retrieved
    where tied_above = 1 or tied_below = 1
),

{% endif %}
