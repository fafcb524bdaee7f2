explain cost select * from {{ reader }}
