{# What the steps of a statement have in common; imported with the context, of which it reads inputs and conventions. #}
{% from "macros/ranking.sql" import id_of, id_text, number_of, order_of_scores, text_of %}

{# The columns that a step makes, each in a line of its select, and those that it carries on from earlier steps. #}
{% macro made_in(step, earlier=[]) %}
{% for column in columns if column.step == step or column.step in earlier %}

        {%+ if column.step == step %}{{ column.text }} as {% endif %}{{ column.name | ident }},
{%- endfor %}
{% endmacro %}

{# The rows of a run that have a score, and meet the condition that the user gave; `checked` ones have no others. #}
{% macro with_scores(indent=none, part=true) %}
{% set further %}{% if indent is not none %}{{ indent }}{% endif %}        {% endset %}
{% set scored %}{% if checked %}true{% else %}{{ run.score | ident }} is not null{% endif %}{% endset %}
{% if run.where %}
where
{{ further }}{{ scored }}
{{ further }}and (
{{ further }}    {{ run.where }}
{{ further }})
{%- else %}
where {{ scored }}
{%- endif %}
{% if part %}{{ of_part(run.query_id) }}{% endif -%}
{% endmacro %}

{# The judged rows of an input, likewise. #}
{% macro with_relevance(source) %}
where {% if checked %}true{% else %}{{ source.relevance | ident }} is not null{% endif %}
{% if source.where %}

        and (
            {{ source.where }}
        )
{%- endif %}
{{ of_part(source.query_id) -}}
{% endmacro %}

{# The queries of one part of many. #}
{% macro of_part(query_id) %}
{% if parts > 1 %}

        and hash(cast({{ query_id | ident }} as {{ text }})) % {{ parts }} = {{ part }}
{%- endif %}
{% endmacro %}

{# What a document without a judgment counts as. #}
{% macro shown_grade() %}{% if grade_of_unjudged is none %}null{% else %}{{ grade_of_unjudged | literal }}{% endif %}{% endmacro %}

{# The relevance of a document of the rankings. #}
{% macro candidate_relevance() %}{% if grade_of_unjudged is none %}judged.relevance{% else %}coalesce(judged.relevance, {{ grade_of_unjudged | literal }}){% endif %}{% endmacro %}

{# Which documents of the rankings count: one of each, and where those without a judgment do, of the queries that were judged. #}
{% macro chosen_candidates() %}
{% if copies != "error" %}
    where returned.copy = 1
{% endif %}
{% if grade_of_unjudged is not none and query_set != "run" %}
    {%+ if copies != "error" %}and{% else %}where{% endif %} returned.query_id in (select query_id from judged)
{% endif %}
{% endmacro %}

{# A relevance as every step counts it: what a convention makes of it stands here alone. #}
{% macro relevance_of(column) %}cast({{ column | ident }} as {{ double }}){% endmacro %}

{# A score as the ranking compares it: a number beyond 32 bits is the largest that there is. #}
{% macro score_of(column) %}
{% if score_type == "float" %}
case
            when cast({{ column | ident }} as {{ double }}) > 3.4028235677973362e38 then cast('Infinity' as {{ double }})
            when cast({{ column | ident }} as {{ double }}) < -3.4028235677973362e38 then cast('-Infinity' as {{ double }})
            else cast(cast({{ column | ident }} as {{ single }}) as {{ double }}){{ unsigned_zero }}
        end
{%- else %}{{ number_of(column) }}
{%- endif %}
{% endmacro %}

{# A column next to the scores that breaks their ties, as it is read. #}
{% macro tie_column(name) %}{% if name == "given_rank" %}{{ number_of(run.rank) }} as given_rank{% else %}{{ name | ident }}{% endif %}{% endmacro %}

{# What a query carries from an input: the text of a segment, the number of a weight. #}
{% macro carried(column) %}cast({{ column.name | ident }} as {% if column.is_number %}{{ double }}{% else %}{{ text }}{% endif %}){% endmacro %}

{# One value for the rows of a document that several raters judged. #}
{% macro of_raters(value, function=none) %}{% if pooled %}{% if function %}{{ function }}{% else %}max{% endif %}({{ value }}){% else %}{{ value }}{% endif %}{% endmacro %}

{# The order of the documents of a ranking. #}
{% macro order_of_documents() %}
{{ order_of_scores("score" | ident, direction, ties, id_text(run.doc_id, "doc_id"), "given_rank" | ident) }}
{%- endmacro %}

{# The rows of a ranking in that order. #}
{% macro in_order() %}
over (partition by {{ keys }} order by {% if unjudged == "remove" %}returned_rank asc{% else %}{{ order_of_documents() }}{% endif %})
{%- endmacro %}

{# The rank of a document in that order, or as it was given. #}
{% macro rank_in_order() %}{% if order == "rank" %}score{% else %}row_number() {{ in_order() }}{% endif %}{% endmacro %}

{# The scores of a ranking, the best first: those that a heap holds, or all, sorted. #}
{% macro best_scores(held) %}{% if by_heap %}{% if ascending %}min{% else %}max{% endif %}(score, {{ held }}){% else %}list_sort(list(score), '{{ direction }}'){% endif %}{% endmacro %}

{# In which of so many equal ranges of scores a score is; the same expression everywhere, which never falls as scores rise. #}
{% macro bucket_of(rows) %}cast(floor(({{ rows | ident }}.score - {{ worst | literal }}) / {{ span | literal }} * {{ ranges }}) as bigint){% endmacro %}

{# What tells rankings apart in rows of the relation itself. #}
{% macro run_keys(naming=false) %}
{% for key in key_names %}{{ id_of(run[key]) }}{% if naming %} as {{ key | ident }}{% endif %}{% if not loop.last %}, {% endif %}{% endfor %}
{% endmacro %}

{# What of a ranked document is read: its judgment where the run has it, else its id. #}
{% macro carried_name() %}{% if labelled %}relevance{% else %}doc_id{% endif %}{% endmacro %}

{# The first documents of each ranking of the relation, in their order, without sorting the others: in one line where that is short. #}
{% macro first_documents() %}
{% set tie %}{% if labelled or run.doc_id is native %}tie := {{ text_of(run.doc_id) }}, {% endif %}{% endset %}
{% set value %}{% if labelled %}{{ relevance_of(run.relevance) }}{% else %}{{ id_of(run.doc_id) }}{% endif %}{% endset %}
{% set best %}{% if ascending %}min{% else %}max{% endif %}{% endset %}
{% set first %}{{ best }}(struct_pack(score := {{ number_of(run.score) }}, {{ tie }}{{ carried_name() }} := {{ value }}), {{ limit }}) as first_ones{% endset %}
{% if (run_keys(true) ~ first) | length <= 150 %}select {{ run_keys(true) }}, {{ first }}
{%- else %}select
            {{ run_keys(true) }},
            {{ first }}
{%- endif %}
{% endmacro %}

{# The rank of a document, of rows of the relation itself: in one line where the order is short. #}
{% macro rank_in_relation() %}
{% set query %}{{ run_keys() }}{% endset %}
{% set documents %}{{ order_of_scores(number_of(run.score), direction, ties, text_of(run.doc_id), number_of(run.rank)) }}{% endset %}
{% if (query ~ documents) | length <= 110 %}row_number() over (partition by {{ query }} order by {{ documents }})
{%- else %}row_number() over (
            partition by {{ query }}
            order by {{ documents }}
        )
{%- endif %}
{% endmacro %}

{# Which of the documents found can change a number, by the relevance in `relation` and down to the last rank that matters: a
   line of its own, or none. #}
{% macro that_count(relation) %}
{% if counted and last_found %}
    where {{ relation | ident }}.relevance {{ counted }} and ranked.rank <= {{ last_found }}
{% elif counted %}
    where {{ relation | ident }}.relevance {{ counted }}
{% elif last_found %}
    where ranked.rank <= {{ last_found }}
{% endif %}
{% endmacro %}
