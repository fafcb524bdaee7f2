{# The columns of each file as its footer declares them, in the order in which they stand there. #}
select
    file_name,
    list(name order by place asc) as names,
    list(num_children order by place asc) as children,
    md5(string_agg(concat_ws('|', name, type, num_children, converted_type, logical_type), chr(10) order by place asc)) as schema
from (
    select
        *,
        row_number() over () as place
    from parquet_schema({{ files | literal }})
)
group by file_name
