{#
title = "unexpectedness: share of the first k that the baseline does not show there"
params = { k = "cutoff required" }
reads = ["expected", "shown"]
range = [0, 1]
summary = "mean"
formula = "1 - (documents in the top k of both rankings) / k"
citation = "Murakami, Mori and Orihara, Metrics for evaluating the serendipity of recommendation lists, JSAI 2007"
#}
case
    when sum({{ shown | ident }}) > 0
        then 1 - sum(case when place <= {{ k }} and {{ expected | ident }} between 1 and {{ k }} then 1.0 else 0.0 end) / {{ k }}
end
