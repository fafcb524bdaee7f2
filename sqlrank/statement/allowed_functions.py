"""The functions that user SQL may call: those that compute from their arguments alone, in bounded memory.

A function that is not listed is refused, so that one of a later version, of an extension or of the caller is, too.
Left out on purpose: what reads anything (files, settings, variables, sequences, the environment), what is another value
each time (clocks, random numbers), what raises errors, and what makes long texts or lists out of short ones.
"""

from __future__ import annotations

OPERATORS = frozenset("+ - * / // % ** ^ || & | << >> ~ ! != < <= = > >= @ @> <@ ^@ ~~ !~~ ~~* !~~* ~~~ ->>".split())
"""Functions that are written as operators; LIKE, ILIKE and GLOB are some of them."""

SCALAR = frozenset(
    """
    abs acos acosh array_aggr array_aggregate array_cat array_concat array_contains array_distinct array_extract
    array_has array_has_all array_has_any array_indexof array_intersect array_length array_position array_reverse_sort
    array_slice array_sort array_unique array_value ascii asin asinh atan atan2 atanh bar base64 bin bit_count
    bit_length bit_position cardinality cbrt ceil ceiling century char_length character_length chr concat concat_ws
    constant_or_null contains cos cosh cot damerau_levenshtein date_diff date_part date_sub date_trunc datediff datepart
    datesub datetrunc day dayname dayofmonth dayofweek dayofyear decade degrees divide editdist3 element_at ends_with
    epoch epoch_ms epoch_ns epoch_us era even exp factorial flatten floor from_base64 from_binary from_hex
    gamma gcd get_bit greatest greatest_common_divisor hamming hash hex hour ilike_escape instr isfinite isinf isnan
    isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json_array_length json_contains json_exists
    json_extract json_extract_path json_extract_path_text json_extract_string json_keys json_type json_valid json_value
    julian last_day lcase lcm least least_common_multiple left left_grapheme len length length_grapheme levenshtein
    lgamma like_escape list_aggr list_aggregate list_cat list_concat list_contains list_distinct list_element
    list_extract list_has list_has_all list_has_any list_indexof list_intersect list_pack list_position
    list_reverse_sort list_select list_slice list_sort list_unique list_value list_where list_zip ln log log10 log2
    lower lpad ltrim make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz map
    map_concat map_contains map_entries map_extract map_extract_value map_from_entries map_keys map_values md5
    md5_number microsecond millennium millisecond minute mismatches mod month monthname multiply nanosecond nextafter
    nfc_normalize not_ilike_escape not_like_escape octet_length ord overlay parse_dirname parse_dirpath parse_filename
    parse_path pi position pow power prefix quarter radians regexp_escape regexp_extract regexp_extract_all
    regexp_full_match regexp_matches regexp_replace regexp_split_to_array replace reverse right right_grapheme round
    round_even roundbankers row rpad rtrim second set_bit sha1 sha256 sign signbit sin sinh split sqrt starts_with
    str_split str_split_regex strftime string_split string_split_regex string_to_array strip_accents strlen strpos
    strptime struct_concat struct_contains struct_extract struct_extract_at struct_has struct_insert struct_pack substr
    substring substring_grapheme subtract suffix tan tanh time_bucket timezone timezone_hour timezone_minute to_base64
    to_binary to_centuries to_days to_decades to_hex to_hours to_microseconds to_millennia to_milliseconds to_minutes
    to_months to_quarters to_seconds to_timestamp to_weeks to_years translate trim trunc try_strptime typeof ucase unbin
    unhex unicode union_extract union_tag union_value upper url_decode url_encode week weekday weekofyear xor year
    yearweek
    array_append array_prepend array_to_string date_add days_in_month fdiv fmod if list_any_value list_append list_avg
    list_count list_first list_last list_max list_median list_min list_mode list_prepend list_product list_reverse
    list_sum nullif split_part
    """.split()
)
"""Functions of one row."""

PADDED = frozenset(("lpad", "rpad"))
"""Those of these that make a text as long as they are told."""

LONGEST_PADDING = 1000
"""How long that may be."""

OVER_LISTS = frozenset(
    """
    apply array_apply array_filter array_reduce array_transform filter list_apply list_filter list_reduce list_transform
    reduce
    """.split()
)
"""Functions that call a lambda for each element of a list: of own metrics only."""

AGGREGATE = frozenset(
    """
    any_value arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin array_agg avg bit_and bit_or bit_xor
    bool_and bool_or corr count count_if count_star countif covar_pop covar_samp entropy favg first fsum geomean
    geometric_mean group_concat kahan_sum kurtosis kurtosis_pop last list listagg mad max max_by mean median min min_by
    mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
    regr_sxx regr_sxy regr_syy sem skewness stddev stddev_pop stddev_samp string_agg sum sumkahan var_pop var_samp
    variance wavg weighted_avg
    """.split()
)
"""Functions of all rows of a query: of own metrics only."""

ELSEWHERE = frozenset(
    """
    approx_distinct array_size arraycount avgif bool bround char charindex coalesce countsubstrings date
    date_from_parts date_part dateadd day_of_week day_of_year decode div empty endswith equal_null exists_in
    expm1 iff ifnull ilike initcap isnotnull isnull json_extract_scalar json_value kurt lcase leftpad len
    length_utf8 lengthutf8 like locate log1p lowerutf8 match max_if maxif minif multiif notempty nullifzero
    nvl nvl2 parse_date positioncaseinsensitive positionutf8 regexp regexp_contains regexp_count regexp_instr
    regexp_like regexp_substr rlike safe_cast safe_divide startswith std stddevpop stddevsamp sumif
    timestamp_diff to_boolean to_char to_date to_double to_json_string to_number to_varchar toboolean todate
    todatetime todayofmonth tofloat32 tofloat64 toint32 toint64 tomonth tostring touint32 touint64 toyear
    try_to_date try_to_double try_to_number try_to_timestamp ucase uniq unix_timestamp upperutf8 varpop
    varsamp zeroifnull
    """.split()
)
"""Functions that other engines have for the same."""
