{#
text = "1 for a document that was judged for some query"
rows = ["shown"]
step = "shown_rows"
judged = true
#}
cast(case when judged_documents.doc_id is null then 0 else 1 end as {{ double }})
