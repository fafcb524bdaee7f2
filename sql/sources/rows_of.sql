select count(*) from {{ relation }}
