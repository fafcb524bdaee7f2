{# What the steps of a statement have in common. #}

{# The columns that a step makes, each in a line of its select, and those that it carries on from earlier steps. #}
{% macro made_in(step, columns, earlier=[]) %}
{% for column in columns if column.step == step or column.step in earlier %}

        {%+ if column.step == step %}{{ column.text }} as {% endif %}{{ column.name | ident }},
{%- endfor %}
{% endmacro %}

{# The condition that rows of two relations are of one ranking. #}
{% macro one_ranking(left, right, several) %}
{{ left | ident }}.query_id = {{ right | ident }}.query_id{% if several %} and {{ left | ident }}.system = {{ right | ident }}.system{% endif %}
{% endmacro %}

{# What is known of the query of a ranked document. #}
{% macro of_its_query(several) %}
inner join query_rows
        on {{ one_ranking("ranked", "query_rows", several) }}
{%- endmacro %}

{# The rows of a run that have a score, and meet the condition that the user gave; a `checked` one has no others. #}
{% macro with_scores(run, checked=false, indent=none) %}
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
{% endmacro %}

{# A relevance as every step counts it: what a convention makes of it stands here alone, and sees all conventions. #}
{% macro relevance_of(column) %}cast({{ column | ident }} as {{ double }}){% endmacro %}
