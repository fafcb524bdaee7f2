-- sqlrank {{ version }}
{% for line in header %}
-- {{ line }}
{% endfor %}
