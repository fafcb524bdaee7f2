insert into {{ database | ident }}.meanings
values (
    cast({{ day | literal }} as date),
    {{ system | literal }},
    {{ told.sqlrank | literal }},
    {{ told.conventions | literal }},
    {{ told.contents | literal }}
)
