{# A statement of each partition that is missing, below one another, in the Jinja of dbt: between raw and endraw stands what
   dbt reads. The test of the inputs looks at the partitions that the model makes. -#}
{% if batch %}
{% include "batch.sql" %}
{% else %}
{% raw %}{% set sqlrank_asked = ('=' ~ var('sqlrank_partition')) if var('sqlrank_partition', none) is not none else none %}
{% set sqlrank_days = ['='] %}
{% set sqlrank_held = false %}
{% if execute %}
{% endraw %}
{% if testing %}
{% raw %}{% set sqlrank_model = graph.nodes['model.' ~ project_name ~ '.{% endraw %}{{ model }}{% raw %}'] %}
{% set sqlrank_table = adapter.get_relation(sqlrank_model.database, sqlrank_model.schema, sqlrank_model.alias) %}
{% endraw %}
{% else %}
{% raw %}{% set sqlrank_table = adapter.get_relation(this.database, this.schema, this.identifier) %}
{% endraw %}
{% endif %}
{% raw %}{% set sqlrank_held = sqlrank_table is not none and not flags.FULL_REFRESH %}
{% set sqlrank_missing %}
{% endraw %}
{{ missing -}}
{% raw %}{% endset %}
{% set sqlrank_missing = run_query(sqlrank_missing).columns[0].values() | list %}
{% if sqlrank_asked is not none and sqlrank_asked not in sqlrank_missing %}
{% do exceptions.raise_compiler_error('sqlrank: the run has no rows of the partition ' ~ sqlrank_asked[1:] ~ ' (sqlrank_partition), so nothing takes its place') %}
{% endif %}
{% set sqlrank_missing = [sqlrank_asked] if sqlrank_asked is not none else sqlrank_missing %}
{% set sqlrank_most = var('sqlrank_most', 31) | int %}
{% set sqlrank_days = sqlrank_missing[:sqlrank_most] or ['='] %}
{% endraw %}
{% if not testing %}
{% raw %}{% if sqlrank_held %}
{% set sqlrank_other %}
{% endraw %}
{{ mixed -}}
{% raw %}{% endset %}
{% set sqlrank_other = run_query(sqlrank_other).columns[0].values() | first %}
{% if sqlrank_other %}
{% do exceptions.raise_compiler_error('sqlrank: the table was made with another definition: ' ~ sqlrank_other[1:] ~ '; dbt build --full-refresh makes every partition anew') %}
{% endif %}
{% endif %}
{% if sqlrank_missing | length > sqlrank_most %}
{% set sqlrank_told = 'sqlrank: ' ~ sqlrank_missing | length ~ ' partitions are missing, and a run makes ' ~ sqlrank_most ~ '; more with --vars "{sqlrank_most: ' ~ sqlrank_missing | length ~ '}"' %}
{% do exceptions.raise_compiler_error(sqlrank_told) if flags.FULL_REFRESH and sqlrank_table is not none else log(sqlrank_told ~ ', or run again', info=true) %}
{% endif %}
{% if flags.FULL_REFRESH and sqlrank_table is not none and not var('sqlrank_forget', false) %}
{% set sqlrank_forgotten %}
{% endraw %}
{{ forgotten -}}
{% raw %}{% endset %}
{% set sqlrank_forgotten = run_query(sqlrank_forgotten).columns[0].values() | first %}
{% if sqlrank_forgotten %}
{% do exceptions.raise_compiler_error('sqlrank: a full refresh would lose partitions that the run does not hold any more, such as ' ~ sqlrank_forgotten[1:] ~ '; if they are to go: --vars "{sqlrank_forget: true}"') %}
{% endif %}
{% endif %}
{% endraw %}
{% endif %}
{% raw %}{% endif %}
{% endraw %}
{% endif %}
{% raw %}{% for sqlrank_day in sqlrank_days %}
{% endraw %}
select sqlrank_rows.*{% if not testing %}, {% raw %}'{{ invocation_id }}'{% endraw %} as sqlrank_built, {{ definition }} as sqlrank_definition{% endif +%}
from (
{{ statement -}}
) as sqlrank_rows
{% raw %}{% if not loop.last %}

union all

{% endif %}
{% endfor %}
{% endraw %}
