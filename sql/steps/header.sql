{% for line in header %}
-- {{ line }}
{% endfor %}
