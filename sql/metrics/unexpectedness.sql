{#
title = "unexpectedness: share of the first k that the baseline does not show there"
title_zh = "意外性：前 k 个结果中基线没有给出的占比"
family = "beyond"
params = { k = "cutoff required" }
reads = ["expected", "in_baseline"]
range = [0, 1]
summary = "mean"
formula = "1 - (documents in the top k of both rankings) / k; 0 where one of them has no results"
in_words = true
latex = '''
\text{unexpectedness@}k = 1 - \frac{\left| A_k \cap B_k \right|}{k}
'''
citation = "Murakami, Mori and Orihara, Metrics for evaluating the serendipity of recommendation lists, JSAI 2007"
doi = "10.1007/978-3-540-78197-4_5"
#}
case
    when max({{ in_baseline.value }}) = 1
        then 1 - sum(case when place <= {{ k }} and {{ expected.value }} between 1 and {{ k }} then {{ one }} else 0 end) / {{ k }}
    else 0
end
