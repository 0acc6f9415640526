package manifests

images contains value if {
	walk(input.document, [path, value])
	path[count(path) - 1] == "image"
	not startswith(value, input.registry)
}

privileged := [path |
	[path, value] := walk(input.document)
	value.securityContext.privileged == true
]

report := {"images": images, "privileged": count(privileged), "paths": {concat(".", [p | some part in path; p := sprintf("%v", [part])]) | some path in privileged}}
