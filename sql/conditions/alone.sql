select
    {{ condition }}
