set session characteristics as transaction isolation level repeatable read, read only
