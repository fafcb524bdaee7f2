{# The rows of LETOR, each with the score that stands in the same place. #}
(
    select
        documents.*,
        scores.score
    from {{ documents | trim | indent }} as documents
    positional join (
        {{ scores | trim | indent | indent }}
    ) as scores
)
