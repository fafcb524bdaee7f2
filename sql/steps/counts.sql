    max(retrieved) as sqlrank_retrieved,
    {%+ if without_judgments %}0{% elif averaged %}coalesce(sum(judged), 0){% else %}sum(case when relevance is not null then 1 else 0 end){% endif %} as sqlrank_judged,
    max({{ diagnostic_relevant | ident }}) as sqlrank_relevant,
    {%+ if without_judgments %}0{% else %}coalesce(sum(tied), 0){% endif %} as sqlrank_tied,
