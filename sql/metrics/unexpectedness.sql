{#
title = "unexpectedness: share of the first k that the baseline does not show there"
params = { k = "cutoff required" }
reads = ["expected", "in_baseline"]
range = [0, 1]
summary = "mean"
formula = "1 - (documents in the top k of both rankings) / k; 0 where one of them has no results"
citation = "Murakami, Mori and Orihara, Metrics for evaluating the serendipity of recommendation lists, JSAI 2007"
#}
case
    when max({{ in_baseline.value }}) = 1
        then 1 - sum(case when place <= {{ k }} and {{ expected.value }} between 1 and {{ k }} then {{ one }} else 0 end) / {{ k }}
    else 0
end
