{{ sqlrank.overall(ref('runs'), ref('judgments'), ['coverage@2'], items=ref('items'), columns={'system': 'system'}) }}
