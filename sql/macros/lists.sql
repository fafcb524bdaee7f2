{# A text without the spaces around it: two engines take every blank of Unicode unless told, and an id may have one. #}
{% macro without_spaces(value) %}
trim({{ value }}{% if unnesting == "subscripts" or unnesting == "offset" %}, ' '{% endif %})
{%- endmacro %}

{# What a select of rows made of lists begins with: the columns of the row that holds them. #}
{% macro listed_columns() %}
{% if unnesting == "subscripts" or unnesting == "range" %}*{% else %}listed.*{% endif %}
{% endmacro %}

{# The columns that are made of lists, and the place in them. #}
{% macro list_columns(lists) %}
{% for column in lists.columns %}
,
        {%+ if lists.separator %}{{ without_spaces(value_of(column, lists)) }}{% else %}{{ value_of(column, lists) }}{% endif %} as {{ column.name | ident }}
{%- endfor %}
{% if lists.place %}
,
        {{ place_in(lists) }} as {{ lists.place | ident }}
{%- endif %}
{% endmacro %}

{# One value of a list. Where rows are made of one list alone, the value of another is found by its place. #}
{% macro value_of(column, lists) %}
{% if unnesting == "subscripts" or unnesting == "range" %}unnest({{ list_of(column, lists) }}){% if column.key %}[{{ column.key | literal }}]{% endif %}
{%- elif unnesting == "flatten" and column.identifies %}cast({{ variant_of(column, lists) }} as {{ text }})
{%- elif unnesting == "flatten" %}{{ variant_of(column, lists) }}
{%- elif unnesting == "json each" %}{% if column.beside %}{{ column.list | ident }} -{% if not column.key %}>{% endif %}> places.key{% else %}places.value{% endif %}{% if column.key %} ->> {{ column.key | literal }}{% endif %}
{%- elif unnesting == "ordinality" or unnesting == "rows" %}places.{{ column.element | ident }}
{%- elif unnesting == "array join" %}{{ column.element | ident }}
{%- else %}{% if column.beside %}{{ list_of(column, lists) }}[{% if unnesting == "offset" %}safe_offset(sqlrank_offset){% else %}sqlrank_offset{% endif %}]{% else %}{{ lists.columns[0].element | ident }}{% endif %}{% if column.key %}.{{ column.key | ident }}{% endif %}
{%- endif %}
{% endmacro %}

{# The same as a variant, of which a text is between quotes until it is cast. #}
{% macro variant_of(column, lists) %}
{% if column.beside and lists.separator %}split_part({{ column.list | ident }}, {{ lists.separator | literal }}, places.index + 1)
{%- else %}{% if column.beside %}{{ column.list | ident }}[places.index]{% else %}places.value{% endif %}{% if column.key %}[{{ column.key | literal }}]{% endif %}
{%- endif %}
{% endmacro %}

{# The list of a column: as it is, of one field of its structs, or of the parts of a text. #}
{% macro list_of(column, lists) %}
{% if lists.separator %}{{ parts_of(column.list, lists) }}
{%- elif column.key and unnesting == "ordinality" %}transform({{ column.list | ident }}, element -> element.{{ column.key | ident }})
{%- elif column.key and unnesting == "rows" %}array(select jsonb_array_elements(cast({{ column.list | ident }} as jsonb)) ->> {{ column.key | literal }})
{%- elif column.key and unnesting == "array join" %}arrayMap(element -> tupleElement(element, {{ column.key | literal }}), {{ column.list | ident }})
{%- else %}{{ column.list | ident }}
{%- endif %}
{% endmacro %}

{# The parts of a text; an empty one has none. #}
{% macro parts_of(column, lists) %}
{% if unnesting == "array join" %}if(trim(coalesce({{ column | ident }}, '')) = '', [], {{ split }}({{ lists.separator | literal }}, assumeNotNull({{ column | ident }})))
{%- elif unnesting == "explode" %}{{ split }}(nullif(trim({{ column | ident }}), ''), {{ lists.pattern | literal }})
{%- else %}{{ split }}(nullif({{ without_spaces(column | ident) }}, ''), {{ lists.separator | literal }})
{%- endif %}
{% endmacro %}

{# The place of a value in its list, from 1. #}
{% macro place_in(lists) %}
{% set first = list_of(lists.columns[0], lists) %}
{% if unnesting == "subscripts" %}generate_subscripts({{ first }}, 1)
{%- elif unnesting == "range" %}unnest(range(cast(1 as bigint), cast(array_length({{ first }}) + 1 as bigint)))
{%- elif unnesting == "flatten" %}places.index + 1
{%- elif unnesting == "json each" %}places.key + 1
{%- elif unnesting == "ordinality" or unnesting == "rows" %}places.sqlrank_ordinal
{%- elif unnesting == "array join" %}sqlrank_ordinal
{%- else %}sqlrank_offset + 1
{%- endif %}
{% endmacro %}

{# The rows of a relation, each as often as its list has values. #}
{% macro from_lists(relation, lists) %}
{% set first = list_of(lists.columns[0], lists) %}
    from {{ relation }}{% if unnesting != "subscripts" and unnesting != "range" %} as listed{% endif %}
{% if unnesting == "ordinality" or unnesting == "rows" %}

    cross join unnest({{ lists_of(lists) }}){% if lists.place %} with ordinality{% endif %} as places ({{ elements_of(lists) }}{% if lists.place %}, sqlrank_ordinal{% endif %})
{%- elif unnesting == "array join" %}

    array join
{% for column in lists.columns %}
{% if not loop.first %}
,
{% endif %}
        {{ list_of(column, lists) }} as {{ column.element | ident }}
{%- endfor %}
{% if lists.place %}
,
        arrayEnumerate({{ first }}) as sqlrank_ordinal
{%- endif %}
{%- elif unnesting == "explode" %}

        lateral view posexplode({{ first }}) places as sqlrank_offset, {{ lists.columns[0].element | ident }}
{%- elif unnesting == "offset" %}

    cross join unnest({{ first }}) as {{ lists.columns[0].element | ident }} with offset as sqlrank_offset
{%- elif unnesting == "flatten" %}

    cross join lateral flatten(input => {{ first }}) as places
{%- elif unnesting == "json each" %}

    cross join json_each({{ first }}) as places
{%- elif unnesting == "navigation" %}
, listed.{{ first }} as {{ lists.columns[0].element | ident }} at sqlrank_offset
{%- endif %}
{% endmacro %}
{% macro elements_of(lists) %}
{% for column in lists.columns %}{{ column.element | ident }}{% if not loop.last %}, {% endif %}{% endfor %}
{% endmacro %}
{% macro lists_of(lists) %}
{% for column in lists.columns %}{{ list_of(column, lists) }}{% if not loop.last %}, {% endif %}{% endfor %}
{% endmacro %}
