-- the mean of each metric over rows of queries
with
{% include "means.sql" %}
