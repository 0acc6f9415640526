/** Comments, imports and keywords in `data.regal.ast`, and `data.regal.capabilities`. */

export const astFiles = `package regal.ast

import data.regal.util

# Places with the texts of comments, which begin with #.
comments_decoded := [object.union(place, {"location": place}) |
	some comment in object.get(input, "comments", [])
	start := util.to_location_no_text(comment)
	place := object.union(start, {"text": substring(input.regal.file.lines[start.row - 1], start.col - 1, -1)})
]

comments.blocks := comment_blocks(comments_decoded)

comments.metadata_attributes := {
	"authors", "compile", "custom", "description", "entrypoint", "id", "organizations", "related_resources",
	"schemas", "scope", "title",
}

comments.annotation_match(text) if {
	words := regex.find_all_string_submatch_n(\`^[#\\s]*([a-z_]+)\\s*:\`, text, 1)
	words[0][1] in comments.metadata_attributes
}

# Comments of lines that follow each other, in one column.
comment_blocks(list) := [block |
	some i, _ in list
	not _follows(list, i)
	lengths := [length |
		some length in numbers.range(1, count(list) - i)
		_has_gap(list, i, length)
	]
	length := min(array.concat(lengths, [count(list) - i]))
	run := array.slice(list, i, i + length)
	columns := {comment.location.col | some comment in run}
	some column in columns
	block := [comment | some comment in run; comment.location.col == column]
]

_follows(list, i) if list[i - 1].location.row == list[i].location.row - 1

_has_gap(list, i, length) if not _follows(list, i + length)

ignore_directives[row] := names if {
	some comment in comments_decoded
	row := comment.location.row + 1
	words := regex.find_all_string_submatch_n(\`regal ignore:\\s*(.+)$\`, comment.text, 1)
	names := regex.split(\`,\\s*\`, trim_space(words[0][1]))
}

imports_has_path(list, path) if {
	some imported in list
	[part.value | some part in imported.path.value] == path
}

imports_keyword(_, _) if object.get(input, ["regal", "file", "rego_version"], "v0") != "v0"

imports_keyword(list, keyword) if {
	some imported in list
	path := [part.value | some part in imported.path.value]
	path in [["rego", "v1"], ["future", "keywords"], ["future", "keywords", keyword]]
}

imports_keyword(list, "in") if imports_has_path(list, ["future", "keywords", "every"])

_comment_rows := {comment.row | some comment in comments_decoded}

keywords[row] contains {"name": "package", "location": {"row": row, "col": col}} if {
	{"row": row, "col": col} = object.filter(util.to_location_object(input.package.location), {"row", "col"})
}

keywords[row] contains {"name": "import", "location": {"row": row, "col": col}} if {
	some imported in imports
	{"row": row, "col": col} = object.filter(util.to_location_object(imported.location), {"row", "col"})
}

keywords[row] contains {"name": word, "location": {"row": row, "col": col + 2}} if {
	some word in ["if", "contains"]
	some i, line in input.regal.file.lines
	row := i + 1
	not row in _comment_rows
	col := indexof(line, sprintf(" %s ", [word]))
	col > 0
}

keywords[place.row] contains {"name": name, "location": place} if {
	walk(input.rules, [_, node])
	name := _loop_keyword(node)
	place := util.to_location_object(node.location)
}

keywords[row] contains {"name": "in", "location": {"row": row, "col": col + 2}} if {
	walk(input.rules, [_, node])
	_loop_keyword(node)
	row := util.to_location_row(node.location)
	col := indexof(input.regal.file.lines[row - 1], " in ")
	col > 0
}

_loop_keyword(node) := "some" if node.symbols

_loop_keyword(node) := "every" if node.domain
`;

export const capabilityRules = `package regal.capabilities

import data.regal.config

provided := config.capabilities

has_object_keys if config.capabilities.builtins["object.keys"]

has_strings_count if config.capabilities.builtins["strings.count"]

has_sprintf if config.capabilities.builtins.sprintf

has_if if _has_keyword("if")

has_contains if _has_keyword("contains")

_has_keyword(word) if word in config.capabilities.future_keywords

_has_keyword(_) if has_rego_v1_feature

_has_keyword(_) if is_opa_v1

has_rego_v1_feature if "rego_v1_import" in config.capabilities.features

has_string_interpolation if "template_strings" in config.capabilities.features

is_opa_v1 if "rego_v1" in config.capabilities.features
`;
