{#
title = "rank-biased overlap, extrapolated: how much the tops of both rankings agree, depth by depth"
title_zh = "排名偏置重叠（RBO，外推）：逐深度比较两个排序的头部"
family = "likeness"
params = { k = "cutoff", p = 0.9 }
reads = ["last_depth", "weight_from_place", "weight_below_end"]
range = [0, 1]
summary = "mean"
bounds = { p = [0, 1] }
help = { p = "persistence: the probability of going on to the next depth; at 0.9 the first 10 depths have 86 % of the weight" }
formula = "(1 - p) / p * (sum over depths d <= l of p^d X(d) / d + sum over depths s < d <= l of p^d X(s) (d - s) / (s d)) + p^l ((X(l) - X(s)) / l + X(s) / s), X(d) the documents in the top d of both, s and l the lengths of the shorter and the longer ranking, cut at k"
latex = '''
\text{RBO} = \frac{1 - p}{p} \left( \sum\limits_{j=1}^{l} \frac{X_j}{j}\, p^{j} + \sum\limits_{j=s+1}^{l} \frac{X_s\, (j - s)}{s\, j}\, p^{j} \right) + \left( \frac{X_l - X_s}{l} + \frac{X_s}{s} \right) p^{l}

X_j = \left| A_j \cap B_j \right|, \qquad s \le l \text{ the lengths of both rankings, cut at } k
'''
citation = "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010, equation 32"
doi = "10.1145/1852102.1852106"
#}
{# Equation 32, by document: one that both hold from depth m on adds its share of every depth down to the last one that
   counts for it, e, and of all depths below, which nobody has seen: (1 - p) / p * (p^m / m + ... + p^e / e) + p^e / e. #}
sum(
    case
        when {% if k %}place <= {{ k }}{% else %}place is not null{% endif +%}
            then
                power({{ p | literal }}, {{ last_depth.value }}) / {{ last_depth.value }}
                + (1 - {{ p | literal }}) / {{ p | literal }} * ({{ weight_from_place.value }} - {{ weight_below_end.value }})
        else 0
    end
)
