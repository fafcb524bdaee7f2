{#
title = "inferred average precision: its expected value where only a sample of the documents was judged"
params = { rel = 1 }
reads = ["hit", "hits", "misses", "negatives", "relevant"]
range = [0, 1]
empty = ["relevant"]
summary = "mean"
monotone = false
formula = "mean over the R relevant documents of the expected precision at their ranks i, the relevance of unjudged documents inferred; a negative judgment is of a document in the pool that was not judged"
citation = "Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006"
#}
{% from "macros/ranking.sql" import of_query %}
sum(
    case
        when {{ hit | ident }} = 0 then 0
        else
            {{ hit | ident }} / place
            + ({{ hits | ident }} - 1 + {{ misses | ident }} + {{ negatives | ident }}) / place
            * ({{ hits | ident }} - 1 + 0.00001) / ({{ hits | ident }} - 1 + {{ misses | ident }} + 0.00002)
    end
) / nullif({{ of_query(relevant) }}, 0)
