{{ sqlrank.summary(ref('runs'), ref('judgments'), ['ap', 'rr'], columns={'system': 'system'}) }}
