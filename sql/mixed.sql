{# Another definition, of which the table holds rows. #}
select '=' || min(coalesce(sqlrank_definition, 'none')) as other
from {{ table }}
where sqlrank_definition is null or sqlrank_definition <> {{ partition.definition | literal }}
