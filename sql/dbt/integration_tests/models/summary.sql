{{ sqlrank.summary(per_query=ref('per_query'), metrics=['ap', 'rr']) }}
