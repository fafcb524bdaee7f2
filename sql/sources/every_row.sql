from {{ relation }}
