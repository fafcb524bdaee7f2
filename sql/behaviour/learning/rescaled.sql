{# The same, with attraction taken from all documents and given to the positions: what is clicked depends on the product alone. #}
select
    {{ key | ident }},
    {{ learned | ident }} * {{ factor | literal }} as {{ learned | ident }},
    moved
from {{ before }}
