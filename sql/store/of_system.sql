{# The rows of one system, in the order in which they were written. #}
from {{ reader }}
where system = {{ system | literal }}
