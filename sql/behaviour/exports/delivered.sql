{# Events of Snowplow with what is inside of their columns, of which the versions of a schema may have one each. #}
{% from "macros/exports.sql" import inside, present %}
{% from "macros/logs.sql" import time_of %}
{% macro first_of(columns, fields) %}coalesce({% for column in columns %}{{ inside(column.name, column.texts, fields) }}, {% endfor %}null){% endmacro %}
select
{% for column in ("event_id", "event_fingerprint", "user_id", "session_id") %}
    {%+ if column in columns %}{% call present() %}cast({{ column | ident }} as varchar){% endcall %}{% else %}cast(null as varchar){% endif %} as {{ column | ident }},
{% endfor %}
    lower(coalesce({% if done %}{{ first_of(done, '{"type": "varchar"}') }}.type, {% endif %}cast(event_name as varchar))) as event_name,
    {%+ if done %}{% call present() %}{{ first_of(done, '{"name": "varchar"}') }}.name{% endcall %}{% else %}cast(null as varchar){% endif %} as list_name,
    epoch_us(coalesce({% for column in times %}{{ time_of(column) }}, {% endfor %}null)) as time,
{% for column in ("application", "system") %}
    {%+ if column in columns %}cast({{ column | ident }} as varchar){% else %}cast(null as varchar){% endif %} as {{ column | ident }},
{% endfor %}
    {%+ if "query_id" in columns %}{% call present() %}cast(query_id as varchar){% endcall %}{% elif searches %}{% call present() %}array_to_string({{ first_of(searches, '{"terms": ["varchar"]}') }}.terms, ' '){% endcall %}{% else %}cast(null as varchar){% endif %} as term,
    {{ first_of(products, '[{"id": "varchar", "position": "varchar"}]') }} as products
from {{ events }}
