set TimeZone = {{ zone | literal }}
