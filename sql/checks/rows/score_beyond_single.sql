{#
title = "a score is beyond 32-bit numbers"
rows = ["run"]
needs = "single"
severity = "note"
message = "{findings} of {rows_read} scores {findings:~is beyond 32-bit numbers, and counts|are beyond 32-bit numbers, and count} as infinite; choose {option:score_type double} to tell them apart"
#}
try_cast(score as {{ double }}) not between -3.4028235677973362e38 and 3.4028235677973362e38
