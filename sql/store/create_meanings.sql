{# What the rows of each day and system mean: what the metadata of a file say, in columns. #}
create table if not exists {{ database | ident }}.meanings (
    as_of date not null,
    system varchar not null,
    sqlrank varchar not null,
    conventions varchar not null,
    contents varchar not null,
    primary key (as_of, system)
)
