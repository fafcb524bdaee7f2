-- sqlrank {{ version }}: ranking metrics as macros of DuckDB; running this twice changes nothing
{% for line in header %}
-- {{ line }}
{% endfor %}
--
{% for line in examples %}
-- {{ line }}
{% endfor %}

-- what a relevance is worth
create or replace macro gain_of(relevance, gain := 'linear') as
    case
        when relevance is null then null
        when gain not in ('linear', 'exp2', 'binary') then error('gain_of: linear, exp2 or binary, not ' || gain)
        when relevance <= 0 then 0
        when gain = 'exp2' then power(2.0, relevance) - 1
        when gain = 'binary' then 1
        else relevance
    end;

-- the weight of a rank, which is 1 or more
create or replace macro discount_of(rank, discount := 'log2') as
    case
        when discount not in ('log2', 'ln', 'letor', 'none')
            then error('discount_of: log2, ln, letor or none, not ' || discount)
        when discount = 'none' or (discount = 'letor' and rank <= 2) then 1
        when discount = 'letor' then ln(2.0) / ln(rank)
        when discount = 'ln' then 1 / ln(rank + 1)
        else ln(2.0) / ln(rank + 1)
    end;
{% for macro in macros %}

-- {{ macro.title }}
create or replace macro {{ macro.name | ident }}(run, qrels{% for argument in macro.arguments %}, {{ argument.name | ident }} := {{ argument.value | literal }}{% endfor %}) as table
{% for line in macro.lines %}
{{ line }}
{% endfor %}
;
{% endfor %}
