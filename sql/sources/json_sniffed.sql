read_json({{ files | literal }}{% if compression %}, compression = {{ compression | literal }}{% endif %}, maximum_depth = 1)
