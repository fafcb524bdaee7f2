{{ sqlrank.per_query(ref('runs'), ref('judgments'), ['ap', 'rr'], columns={'system': 'system'}) }}
