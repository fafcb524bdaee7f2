{% for ideal in ideals %}
{% include ideal.file %}

{% endfor %}
