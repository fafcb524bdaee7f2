{% from "macros/ranking.sql" import is_tied %}
{% from "macros/steps.sql" import of_its_query %}
{% if not without_judgments and ("scored" in steps or not plain) %}
{% if united %}
-- the same with what stands above each of them
{% elif outer %}
-- each judged document with its rank, null where it was not found, and what stands above it
{% elif "scored" in steps %}
-- the documents found that were judged{% if joined and positive_only %} relevant{% endif %}, with what stands above each of them
{% else %}
-- the documents found that were judged
{% endif %}
scored as (
    select{% if hints and not carries %} /*+ shuffle_hash(judged) */{% endif %}

{% if several %}
        ranked.system as system,
{% endif %}
        {%+ if outer %}judged{% else %}ranked{% endif %}.query_id as query_id,
        {%+ if carries %}ranked{% else %}judged{% endif %}.relevance as relevance,
{% if diagnostics %}
        {{ is_tied(row_keys, deepest) }} as tied,
{% endif %}
{% for column in columns if column.mean %}
        ranked.{{ column.name | ident }} as {{ column.name | ident }},
{% endfor %}
{% for column in columns if column.step == "scored" %}
        {{ column.text }} as {{ column.name | ident }},
{% endfor %}
{% for ideal in ideals if united %}
        judged.{{ ideal.rank | ident }} as {{ ideal.rank | ident }},
{% endfor %}
        {%+ if united %}judged{% else %}ranked{% endif %}.rank as rank
    from {% if outer %}judged{% elif averaged %}averaged as ranked{% else %}ranked{% endif %}

{% if outer and not united %}
    left join ranked
        on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id{% if limit %} and ranked.rank <= {{ limit }}{% endif %}

{% elif not carries and not outer %}
    inner join judged on ranked.query_id = judged.query_id and ranked.doc_id = judged.doc_id
{% endif %}
{% if beside %}
    {{ of_its_query(several) }}
{% endif %}
{% if scaled and stops %}
    cross join scale_rows
{% endif %}
{% if carries and not averaged %}
    where ranked.relevance {% if diagnostics and positive_only %}> 0{% else %}is not null{% endif %}{% if limit and not plain %} and ranked.rank <= {{ limit }}{% endif %}

{% elif (joined or diagnostics) and positive_only and not averaged %}
    where judged.relevance > 0{% if limit %} and ranked.rank <= {{ limit }}{% endif %}

{% elif limit and not outer %}
    where ranked.rank <= {{ limit }}
{% endif %}
),
{% endif %}
