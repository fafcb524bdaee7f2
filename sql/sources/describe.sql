describe select * from {{ reader }}
