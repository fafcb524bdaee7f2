from {{ rows | ident }}
