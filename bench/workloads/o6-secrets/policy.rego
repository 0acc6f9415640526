package secrets

report := {"secrets": secrets, "images": images}

secrets contains concat("/", [sprintf("%v", [key]) | some key in path]) if {
	[path, value] := walk(input.config)
	is_string(value)
	some word in data.words
	contains(lower(path[count(path) - 1]), word)
	not startswith(value, "vault:")
}

images contains value if {
	[path, value] := walk(input.config)
	path[count(path) - 1] == "image"
	is_string(value)
}
