{# The share of its places that the log has shown enough of. Each place counts by the impressions that reach it, times what its
   position earns in the log on average (`level`); where no place that counts earned anything, by the impressions alone. #}
{% macro supported_share(earned=true) -%}
case
        -- a sum of parts in another order may be a little off the whole
        when sum(traffic * share) > 0 and coalesce(sum(traffic * share) filter (where not supported), 0) = 0 then 1.0
        else coalesce({% if earned %}
            coalesce(sum(traffic * share * level) filter (where supported), 0) / nullif(sum(traffic * share * level), 0),{% endif %}
            coalesce(sum(traffic * share) filter (where supported), 0) / nullif(sum(traffic * share), 0),
            0.0
        )
    end
{%- endmacro %}
