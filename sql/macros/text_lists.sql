{# The parts of a text that is a list: of JSON, a repr of Python or NumPy, an array of PostgreSQL, or parts between
   brackets as DuckDB and Spark cast arrays. `patterns` say how each looks; a text that fits none of them has null. #}
{% macro parts_of(value, patterns) %}
case
            when regexp_matches({{ value }}, {{ patterns.cut | literal }})
                or (regexp_full_match({{ value }}, {{ patterns.uneven | literal }}) and not regexp_full_match({{ value }}, {{ patterns.numbers | literal }}))
                then null
{% for pattern, parts in [(patterns.spaces, patterns.strict), (patterns.commas, patterns.part), (patterns.braces, patterns.element)] %}
            when regexp_full_match({{ value }}, {{ pattern | literal }})
                then list_transform(
                    regexp_extract_all(regexp_extract({{ value }}, {{ patterns.inner | literal }}, 1), {{ parts | literal }}),
                    lambda part: {{ part_of() }}
                )
{% endfor %}
        end
{%- endmacro %}

{# A part without its quotes, and what is escaped in them; null where it is a null without quotes. #}
{% macro part_of() %}
case
                        when starts_with(part, '"') and json_valid(part) then json_extract_string(part, '$')
                        when part[1] in ('"', '''') then regexp_replace(part[2:-2], '(?s)\\(.)', '\1', 'g')
                        when lower(trim(part)) not in ('null', 'none', 'nan', '<na>') then trim(part)
                    end
{%- endmacro %}
