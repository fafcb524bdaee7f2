drop view if exists {{ name | ident }}
