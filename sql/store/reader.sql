{# The files of a store, which hold the day themselves: it is not read from the names of the folders. #}
read_parquet({{ files | literal }}, hive_partitioning = false)
