(
    select
        *
    from {{ relation }}
    where {{ condition }}
)
