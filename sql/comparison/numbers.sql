select range as number
from range({{ count }})
