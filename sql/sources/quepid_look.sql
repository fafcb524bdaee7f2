{# How many lines of ratings may be no row of CSV by themselves: a query alone, in quotes or not, a document without a
   rating, a guarded query, a quote that is open at the end of the line. #}
select count(*)
from {{ lines }}
where
    trim(line, E' \t\r') <> ''
    and (
        line not like '%,%'
        or regexp_matches(line, '^"([^"]|"")*"\r?$')
        or regexp_matches(line, ',(--)?\r?$')
        or regexp_matches(line, '^"? [-=+@]')
        or (length(line) - length(replace(line, '"', ''))) % 2 = 1
    )
