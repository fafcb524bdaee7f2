{# Impressions that may hold a document twice, or two documents at a place. #}
select impression_id
from {{ of_impressions }}
where places < rows_of
    or marks < rows_of
