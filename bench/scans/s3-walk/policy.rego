package secrets

violations contains path if {
	[path, value] := walk(input.document)
	is_string(value)
	startswith(value, "secret:")
}

keys contains key if {
	walk(input.document, [path, _])
	key := path[count(path) - 1]
	endswith(key, "_token")
}

report := {"violations": count(violations), "keys": keys}
