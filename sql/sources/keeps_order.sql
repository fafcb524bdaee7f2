select cast(current_setting('preserve_insertion_order') as boolean)
