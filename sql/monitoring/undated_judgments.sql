-- how many judgments have something that is no date where the day of theirs is
select
    count(case when try_cast({{ at | ident }} as timestamp) is null then {{ at | ident }} end) as undated,
    min(case when try_cast({{ at | ident }} as timestamp) is null then cast({{ at | ident }} as varchar) end) as example
from {{ judgments }}
