set temp_directory = {{ folder | literal }};
set enable_external_file_cache = false;
set enable_external_file_cache = true
