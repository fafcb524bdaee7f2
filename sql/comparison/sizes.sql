-- how large the weighted differences of each pair are, together and at most, how many segments there are, and how large the
-- weights are together
select
{% for pair in pairs %}
    sum(abs({% if weighted and not pair.counts %}{{ weight | ident }} * {% endif %}{{ pair.difference | ident }})) as size_{{ loop.index }},
    max(abs({% if weighted and not pair.counts %}{{ weight | ident }} * {% endif %}{{ pair.difference | ident }})) as largest_{{ loop.index }},
    count(*) - count({{ pair.difference | ident }}) as lacking_{{ loop.index }},
{% endfor %}
    max(scope) as segments,
    sum({% if weighted %}{{ weight | ident }}{% else %}1.0{% endif %}) as weight
from {{ paired }}
