{% from "macros/ranking.sql" import has_gain, order_of_gains, weighed %}
select {{ ideal.grouping }}, relevance, {% if ideal.weighed %}item_weight, {% endif %}row_number() over (partition by {{ ideal.grouping }} order by {% if ideal.weighed %}{{ weighed(ideal.gain, "item_weight" | ident) }}{% else %}{{ order_of_gains(ideal.gain) }}{% endif %} desc) as ideal_rank
        from {{ ideal.source }}
        where {{ has_gain(ideal.gain) }}
