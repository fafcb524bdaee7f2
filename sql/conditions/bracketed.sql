select (
    {{ condition }}
)
