select current_setting('TimeZone')
