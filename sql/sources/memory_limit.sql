select current_setting('memory_limit')
