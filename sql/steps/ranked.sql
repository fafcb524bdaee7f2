{% set window -%}
            partition by {{ keys }}
            order by score {{ direction }}
{%- if ties == "doc-asc" %}, doc_id asc
{%- elif ties == "number-desc" %}, length(doc_id) desc, doc_id desc
{%- elif ties == "rank" %}, given_rank asc, doc_id desc
{%- elif ties == "input" %}, input_order asc
{%- elif ties == "best" %}, coalesce(relevance, 0) desc, doc_id desc
{%- elif ties == "worst" %}, coalesce(relevance, 0) asc, doc_id desc
{%- else %}, doc_id desc
{%- endif %}
{%- endset %}
{% if unjudged == "remove" %}
-- the rank of every document returned
returned_ranks as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
        doc_id,
        score,
        relevance,
        row_number() over (
            {{ window }}
        ) as returned_rank
    from {{ candidates }}
),

{% set window -%}
            partition by {{ keys }}
            order by returned_rank
{%- endset %}
{% endif %}
-- the rank of each document
ranked as (
    select
{% if several %}
        system,
{% endif %}
        query_id,
{% if carries %}
        relevance,
{% endif %}
{% if needs_doc or not carries %}
        doc_id,
{% endif %}
{% if needs_score %}
        score,
{% endif %}
{% if diagnostics %}
        case when score = lag(score) over (
            {{ window }}
        ) then 1 else 0 end as tied_above,
        case when score = lead(score) over (
            {{ window }}
        ) then 1 else 0 end as tied_below,
{% endif %}
{% if order == "rank" %}
        score as rank
{% else %}
        row_number() over (
            {{ window }}
        ) as rank
{% endif %}
{% if unjudged == "remove" %}
    from returned_ranks
    where
        relevance >= 0
{% if depth %}
        and returned_rank <= {{ depth }}
{% endif %}
{% else %}
    from {{ candidates }}
{% endif %}
),

