package secrets

violations contains path if {
	[path, value] := walk(input.document)
	is_string(value)
	startswith(value, "secret:")
}

keys contains key if {
	walk(input.document, [path, _])
	some key in path
	is_string(key)
	endswith(key, "_token")
}

report := {"violations": count(violations), "keys": keys}
