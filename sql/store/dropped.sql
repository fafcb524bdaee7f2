drop table {{ database | ident }}.results
