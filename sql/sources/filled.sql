{# Whether somebody judged a pair: the relevance is filled in where raters may leave it blank, and is no label that says
   nobody could. #}
{% set value %}cast({{ relevance | ident }} as {{ text }}){% endset %}
{% if blank %}trim({{ value }}) <> ''{% else %}true{% endif %}{% if labels %} and coalesce({{ value }}, '') not in ({% for label in labels %}{{ label | literal }}{% if not loop.last %}, {% endif %}{% endfor %}){% endif +%}
