set allowed_paths = {{ paths | literal }}
set enable_external_access = false
set lock_configuration = true
