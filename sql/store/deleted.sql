delete from {{ database | ident }}.{{ table | ident }}
where
    as_of = cast({{ day | literal }} as date)
    and system = {{ system | literal }}
