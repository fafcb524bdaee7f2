{# The day that a batch of dbt's strategy microbatch is of, as looped.sql takes it. The test of the inputs runs after the
   model, and looks at the days that were built. Faults are logged too: dbt shows no message of a batch. -#}
{% if testing %}
{% raw %}{% set sqlrank_table = ref('{% endraw %}{{ model }}{% raw %}') %}
{% set sqlrank_days = ['='] %}
{% if execute %}
{% set sqlrank_missing %}
{% endraw %}
{{ missing -}}
{% raw %}{% endset %}
{% set sqlrank_days = run_query(sqlrank_missing).columns[0].values() | list or ['='] %}
{% endif %}
{% endraw %}
{% else %}
{% raw %}{% set sqlrank_days = ['='] %}
{% if execute and not model.batch and flags.WHICH in ('run', 'build', 'retry') %}
{% set sqlrank_fault = 'sqlrank: dbt runs this model without batches; where the project has a macro get_incremental_microbatch_sql, set the flag require_batched_execution_for_custom_microbatch_strategy' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% elif execute and model.batch and not flags.EMPTY %}
{% if var('sqlrank_partition', none) is not none %}
{% set sqlrank_fault = 'sqlrank: dbt says which days this model makes: --event-time-start and --event-time-end in place of sqlrank_partition' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% endif %}
{% set sqlrank_batch = (model.batch.event_time_start | string)[:10] %}
{% set sqlrank_last = sqlrank_batch %}
{% set sqlrank_type %}
{% endraw %}
{{ type -}}
{% raw %}{% endset %}
{% set sqlrank_type = adapter.get_column_schema_from_query(sqlrank_type)[0] %}
{% if sqlrank_type.data_type | lower != 'date' %}
{% set sqlrank_fault = 'sqlrank: ' ~ sqlrank_type.name ~ ' is ' ~ sqlrank_type.data_type ~ ', and the days of batches are of a column of the type date; cast it in the model of the rankings, or write this model without --begin' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% endif %}
{% set sqlrank_missing %}
{% endraw %}
{{ missing -}}
{% raw %}{% endset %}
{% set sqlrank_days = run_query(sqlrank_missing).columns[0].values() | list or ['='] %}
{% set sqlrank_table = adapter.get_relation(this.database, this.schema, this.identifier) %}
{% if sqlrank_table is not none %}
{% if should_full_refresh() %}
{% set sqlrank_gone = ['0001-01-01', '9999-12-31'] %}
{% set sqlrank_last = (((flags.EVENT_TIME_END or run_started_at) - modules.datetime.timedelta(microseconds=1)) | string)[:10] %}
{% else %}
{% set sqlrank_gone = [sqlrank_batch, sqlrank_batch] %}
{% set sqlrank_other %}
{% endraw %}
{{ mixed -}}
{% raw %}{% endset %}
{% set sqlrank_other = run_query(sqlrank_other).columns[0].values() | first %}
{% if sqlrank_other %}
{% set sqlrank_fault = 'sqlrank: the table was made with another definition: ' ~ sqlrank_other[1:] ~ '; dbt build --full-refresh makes every day anew' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% endif %}
{% endif %}
{% set sqlrank_forgotten %}
{% endraw %}
{{ forgotten -}}
{% raw %}{% endset %}
{% set sqlrank_forgotten = none if var('sqlrank_forget', false) else run_query(sqlrank_forgotten).columns[0].values() | first %}
{% if sqlrank_forgotten %}
{% set sqlrank_fault = 'sqlrank: the table holds ' ~ sqlrank_forgotten[1:] ~ ', whose rows would go, and no rows of the run take their place; if they are to go: --vars "{sqlrank_forget: true}"' %}
{% do exceptions.raise_compiler_error(log(sqlrank_fault, info=true) or sqlrank_fault) %}
{% endif %}
{% endraw %}
{% if deletion %}
{% raw %}{% if not should_full_refresh() %}
{% set sqlrank_deletion %}
{% endraw %}
{{ deletion -}}
{% raw %}{% endset %}
{% do run_query(sqlrank_deletion) %}
{% endif %}
{% endraw %}
{% endif %}
{% raw %}{% endif %}
{% endif %}
{% endraw %}
{% endif %}
