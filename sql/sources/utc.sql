set global TimeZone = 'UTC'
