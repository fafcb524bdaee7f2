-- sqlrank {{ version }}: ranking metrics as macros of DuckDB; running this twice changes nothing
{% for line in header %}
-- {{ line }}
{% endfor %}
--
{% for line in examples %}
-- {{ line }}
{% endfor %}

-- what a relevance is worth
create or replace macro {{ gain_of | ident }}(relevance, gain := 'linear') as
    case
        when relevance is null then null
        when gain not in ('linear', 'exp2', 'binary') then error({{ gain_of | literal }} || ': linear, exp2 or binary, not ' || gain)
        when relevance <= 0 then 0
        when gain = 'exp2' then power(2.0, relevance) - 1
        when gain = 'binary' then 1
        else relevance
    end;

-- the weight of a rank, which is 1 or more
create or replace macro {{ discount_of | ident }}(rank, discount := 'log2') as
    case
        when discount not in ('log2', 'ln', 'letor', 'reciprocal', 'none')
            then error({{ discount_of | literal }} || ': log2, ln, letor, reciprocal or none, not ' || discount)
        when discount = 'none' or (discount = 'letor' and rank <= 2) then 1
        when discount = 'reciprocal' then 1 / rank
        when discount = 'letor' then ln(2.0) / ln(rank)
        when discount = 'ln' then 1 / ln(rank + 1)
        else ln(2.0) / ln(rank + 1)
    end;
{% for rows in checked %}

-- the rows of the {{ rows.heading }}; an error where one is not what the metrics count on
create or replace macro {{ rows.name | ident }}(relation, k := 1, rel := 1) as table
with
-- stands in for a column that the relation lacks
sqlrank_lacking as (
    select
{% for column in rows.columns %}
        error(concat(relation, {{ (" has no column " ~ column) | literal }})) as {{ column | ident }}{% if not loop.last %},{% endif +%}
{% endfor %}
),
sqlrank_rows as not materialized (
    select sqlrank_found.*
    from sqlrank_lacking, lateral (
        select
{% for column in rows.columns %}
            {{ column | ident }},
{% endfor %}
            {{ rows.number | ident }} is not null{% if rows.relation.where %} and coalesce(({{ rows.relation.where }}), false){% endif %} as sqlrank_kept
        from query_table(relation)
    ) as sqlrank_found
)
select *
from sqlrank_rows
where
    case
        when coalesce(k, 0) < 1 or k % 1 <> 0 then error(concat('k must be a whole number from 1 on, not ', coalesce(cast(k as varchar), 'null')))
        when not coalesce(isfinite(cast(rel as double)), false) then error(concat('rel must be a finite number, not ', coalesce(cast(rel as varchar), 'null')))
        when not sqlrank_kept then false
        when {{ rows.relation.query_id | ident }} is null then error({{ ("a query_id of the " ~ rows.title ~ " is null") | literal }})
        when {{ rows.relation.doc_id | ident }} is null then error({{ ("a doc_id of the " ~ rows.title ~ " is null") | literal }})
        when not isfinite(cast({{ rows.number | ident }} as double))
            then error(concat({{ ("the " ~ rows.role ~ " of query ") | literal }}, {{ rows.relation.query_id | ident }}, ' and document ', {{ rows.relation.doc_id | ident }}, ' is ', {{ rows.number | ident }}))
        else true
    end
{% if rows.once %}
    -- hashes in a list are compared in half the time of the ids themselves
    and (
        select any_value({{ rows.relation.query_id | ident }})
        from sqlrank_rows
        where sqlrank_kept
        group by {% for column in rows.grouping %}{% if not loop.first %}, {% endif %}{{ column | ident }}{% endfor +%}
        having case
            when list_unique(list(hash(cast({{ rows.relation.doc_id | ident }} as varchar)))) = count(*) then false
            else error(concat({{ ("a document appears more than once in the " ~ rows.title ~ " of query ") | literal }}, any_value({{ rows.relation.query_id | ident }})))
        end
    ) is null
{% endif %}
;
{% endfor %}
{% for macro in macros %}

-- {{ macro.title }}
create or replace macro {{ macro.name | ident }}(run, qrels{% for argument in macro.arguments %}, {{ argument.name | ident }} := {{ argument.value | literal }}{% endfor %}) as table
{% for line in macro.lines %}
{{ line }}
{% endfor %}
;
{% endfor %}
