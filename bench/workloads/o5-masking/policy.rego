package masking

rows := [masked |
	some row in input.rows
	row.tenant == input.tenant
	masked := {key: value |
		some key, original in row
		value := shown(key, original)
	}
]

visible := {field | some field in data.fields[input.role]}

shown(key, original) := original if key in visible

shown(key, original) := "***" if {
	not key in visible
	is_string(original)
	key != "email"
}

shown(key, original) := 0 if {
	not key in visible
	is_number(original)
}

shown("email", original) := concat("@", ["***", split(original, "@")[1]]) if not "email" in visible
