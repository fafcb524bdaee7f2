read_parquet({{ files | literal }}, hive_partitioning = {{ hive | literal }})
