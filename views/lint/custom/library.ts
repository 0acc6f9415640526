/** The packages that rules of users import: `data.regal.ast`, `config`, `result` and `util`. */

import { astNames, utilPlaces } from './library-names.js';

/** The document with the configuration and the levels, which these packages read. */
export const settingsRoot = 'regal_settings';

const ast = `package regal.ast

import data.regal.util

rules := [rule | some rule in input.rules; not rule.head.args]

functions := [rule | some rule in input.rules; rule.head.args]

tests := [rule | some rule in rules; startswith(ref_to_string(rule.head.ref), "test_")]

imports := object.get(input, "imports", [])

package_path := [part.value | some i, part in input.package.path; i > 0]

package_name := concat(".", package_path)

comments := object.get(input, "comments", [])

rule_names := {ref_to_string(rule.head.ref) | some rule in input.rules}

builtin_names := {name | some name in data.${settingsRoot}.builtins}

is_terms_array(terms) if is_array(terms)

is_assignment(expr) if expr.terms[0].value[0].value == "assign"

is_assignment(term) if {
	term.type == "ref"
	term.value[0].value == "assign"
}

ref_to_string(ref) := concat("", [_part(i, part) | some i, part in ref])

ref_static_to_string(ref) := ref_to_string(array.slice(ref, 0, _static_length(ref)))

_static_length(ref) := min([i | some i, part in array.concat(ref, [{"type": "end"}]); i > 0; part.type != "string"])

_part(0, part) := part.value

_part(i, part) := sprintf(".%s", [part.value]) if {
	i > 0
	part.type == "string"
	regex.match(\`^[a-zA-Z_][a-zA-Z0-9_]*$\`, part.value)
}

_part(i, part) := sprintf("[%q]", [part.value]) if {
	i > 0
	part.type == "string"
	not regex.match(\`^[a-zA-Z_][a-zA-Z0-9_]*$\`, part.value)
}

_part(i, part) := "[_]" if {
	i > 0
	part.type == "var"
	startswith(part.value, "$")
}

_part(i, part) := sprintf("[%v]", [part.value]) if {
	i > 0
	part.type != "string"
	not startswith(sprintf("%v", [part.value]), "$")
}

policy(text) := regal.parse_module("policy.rego", concat("", ["package policy\\n\\n", text]))

with_rego_v1(text) := policy(text)

all_rules := object.get(input, "rules", [])

builtin_namespaces := {split(name, ".")[0] | some name in builtin_names}

rule_index_strings := [format_int(i, 10) | some i, _ in all_rules]

scalar_types := {"boolean", "null", "number", "string"}

is_constant(term) if term.type in scalar_types

is_constant(term) if {
	term.type in {"array", "object", "set"}
	not _has_variable(term)
}

_has_variable(term) if {
	walk(term, [_, part])
	part.type in {"call", "ref", "var", "arraycomprehension", "setcomprehension", "objectcomprehension"}
}

static_ref(ref) if {
	every part in array.slice(_terms_of(ref), 1, count(_terms_of(ref))) {
		part.type in scalar_types
	}
}

_terms_of(ref) := ref if is_array(ref)

_terms_of(ref) := ref.value if is_object(ref)

static_prefix(ref) := array.slice(ref, 0, _static_length(ref))

name(rule) := ref_to_string(rule.head.ref)

var_names := {variable.value | some contexts in found.vars; some variables in contexts; some variable in variables}

generated_body(rule) if not rule.body

negated_expressions[rule_index] contains expr if {
	some rule_index, exprs in found.expressions
	some expr in exprs
	expr.negated
}

ref_value_equal(left, right) if {
	count(left) == count(right)
	every i, part in left {
		part.type == right[i].type
		part.value == right[i].value
	}
}

function_calls[rule_index] contains call if {
	some rule_index, calls in found.calls
	some terms in calls
	call := {
		"name": ref_to_string(terms[0].value),
		"location": terms[0].location,
		"args": array.slice(terms, 1, count(terms)),
	}
}

_parts[rule_index] := [part | walk(all_rules[to_number(rule_index)], [_, part]); is_object(part)] if {
	some rule_index in rule_index_strings
}

found.expressions[rule_index] contains part if {
	some rule_index, parts in _parts
	some part in parts
	part.terms
}

found.refs[rule_index] contains part if {
	some rule_index, parts in _parts
	some part in parts
	part.type == "ref"
}

found.calls[rule_index] contains part.value if {
	some rule_index, parts in _parts
	some part in parts
	part.type == "call"
}

found.calls[rule_index] contains expr.terms if {
	some rule_index, exprs in found.expressions
	some expr in exprs
	is_array(expr.terms)
	expr.terms[0].type == "ref"
}

found.symbols[rule_index] contains expr.terms.symbols if {
	some rule_index, exprs in found.expressions
	some expr in exprs
	expr.terms.symbols
}

found.comprehensions[rule_index] contains part if {
	some rule_index, parts in _parts
	some part in parts
	part.type in {"arraycomprehension", "setcomprehension", "objectcomprehension"}
}

found.vars[rule_index].args contains variable if {
	some i, rule in all_rules
	rule_index := rule_index_strings[i]
	some variable in _variables(rule.head.args)
}

found.vars[rule_index].some contains symbol if {
	some rule_index, lists in found.symbols
	some symbols in lists
	some symbol in symbols
	symbol.type == "var"
}

found.vars[rule_index].somein contains variable if {
	some rule_index, lists in found.symbols
	some symbols in lists
	some symbol in symbols
	symbol.type == "call"
	some i, term in symbol.value
	i > 0
	i < count(symbol.value) - 1
	some variable in _variables(term)
}

found.vars[rule_index].every contains variable if {
	some rule_index, exprs in found.expressions
	some expr in exprs
	expr.terms.domain
	some variable in _variables([object.get(expr.terms, "key", {}), expr.terms.value])
}

found.vars[rule_index].assign contains variable if {
	some rule_index, calls in found.calls
	some terms in calls
	terms[0].value[0].value == "assign"
	some variable in _variables(terms[1])
}

found.vars[rule_index].ref contains part if {
	some rule_index, refs in found.refs
	some ref in refs
	some i, part in ref.value
	i > 0
	part.type == "var"
}

_variables(tree) := {part |
	walk(tree, [_, part])
	is_object(part)
	part.type == "var"
	not startswith(part.value, "$")
}

location(node) := util.to_location_object(node.location)
`;

const config = `package regal.config

rules := data.${settingsRoot}.rules

merged_config := data.${settingsRoot}.config

capabilities := data.${settingsRoot}.capabilities

for_rule(category, title) := object.union({"level": level}, object.get(rules, [category, title], {})) if {
	level := object.get(data.${settingsRoot}.levels, [category, title], "error")
}

docs.base_url := "https://www.openpolicyagent.org/projects/regal/rules"

docs.resolve_url(url, category) := replace(replace(url, "$baseUrl", docs.base_url), "$category", category)
`;

const result = `package regal.result

import data.regal.util

fail(chain, details) := object.union(_finding(chain), details)

_finding(chain) := object.union(
	{
		"title": title,
		"category": category,
		"level": object.get(data.${settingsRoot}.levels, [category, title], "error"),
		"description": object.get(annotations, "description", ""),
	},
	_resources(annotations),
) if {
	some entry in chain
	annotations := entry.annotations
	annotations.scope == "package"
	[category, title] := array.slice(entry.path, count(entry.path) - 2, count(entry.path))
}

_resources(annotations) := {"related_resources": annotations.related_resources} if annotations.related_resources

_resources(annotations) := {} if not annotations.related_resources

location(node) := _at(util.to_location_object(node.location)) if is_object(node)

location(place) := _at(util.to_location_object(place)) if is_string(place)

ranged_location_between(first, last) := _at(object.union(
	util.to_location_object(first.location),
	{"end": util.to_location_object(last.location).end},
))

ranged_from_ref(ref) := ranged_location_between(ref[0], ref[count(ref) - 1])

infix_expr_location(terms) := ranged_location_between(terms[1], terms[2])

with_text(place) := {"location": object.union(util.to_location_object(place), {
	"file": input.regal.file.name,
	"text": input.regal.file.lines[place.row - 1],
})}

ranged_from_text(place, text) := _at(object.union(place, {"end": {
	"row": place.row,
	"col": place.col + count(text),
}}))

notice(chain) := object.union(
	{"title": path[4], "category": path[3], "level": "notice", "severity": "warning"},
	{"description": object.get(annotations, "description", "")},
) if {
	some entry in chain
	annotations := entry.annotations
	path := entry.path
}

aggregate(chain, data_of_file) := {
	"rule": {"category": path[3], "title": path[4]},
	"aggregate_source": {"file": input.regal.file.name, "package_path": [part.value | some i, part in input.package.path; i > 0]},
	"aggregate_data": data_of_file,
} if {
	path := chain[0].path
}

_at(location) := {"location": object.union(location, {
	"file": input.regal.file.name,
	"text": input.regal.file.lines[location.row - 1],
})} if input.regal.file.lines

_at(location) := {"location": location} if not input.regal.file.lines
`;

const util = `package regal.util

to_location_object(location) := object.union(place, _text_at(place)) if {
	is_string(location)
	[row, col, end_row, end_col] := split(location, ":")
	place := {
		"row": to_number(row),
		"col": to_number(col),
		"end": {"row": to_number(end_row), "col": to_number(end_col)},
	}
}

# The text of a place, where the lines of its file are there.
_text_at(place) := {"text": text} if {
	lines := array.slice(input.regal.file.lines, place.row - 1, place.end.row)
	last := count(lines) - 1
	cut := [_until(line, i == last, place.end.col) | some i, line in lines]
	text := substring(concat("\\n", cut), place.col - 1, -1)
} else := {}

_until(line, true, end) := substring(line, 0, end - 1)

_until(line, false, _) := line

to_location_object(location) := location if is_object(location)

to_location_row(location) := to_location_object(location).row

to_array(collection) := [item | some item in collection]

to_set(collection) := {item | some item in collection}

keys_to_numbers(document) := {to_number(key): value | some key, value in document}

find_duplicates(list) := {indexes |
	some item in list
	indexes := {i | some i, other in list; other == item}
	count(indexes) > 1
}

any_set_item(items) := [item | some item in items][0]
`;

export const libraryModules: Readonly<Record<string, string>> = {
  'regal/ast.rego': ast,
  'regal/ast_names.rego': astNames,
  'regal/config.rego': config,
  'regal/result.rego': result,
  'regal/util.rego': util,
  'regal/util_places.rego': utilPlaces,
};
