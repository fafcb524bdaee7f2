read_json({{ files | literal }}, maximum_depth = 1, hive_partitioning = false)
