{# Whether somebody filled the relevance of a pair in, and did not leave it blank. #}
trim(cast({{ relevance | ident }} as {{ text }})) <> ''
