parquet.{{ path | ident }}
