create or replace temporary view {{ name | ident }} as
select
    value as line,
    _metadata.file_path as file,
    monotonically_increasing_id() as place
from text.{{ path | ident }}
