-- sqlrank {{ version }}: {{ title }}
-- {{ described }}
{% for line in assumptions %}
-- {{ line }}
{% endfor %}
