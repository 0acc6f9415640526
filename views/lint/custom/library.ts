/** The packages that rules of users import: `data.regal.ast`, `config`, `result` and `util`. */

import { astFiles, capabilityRules } from './library-files.js';
import { astNames, utilPlaces } from './library-names.js';

/** The document with the configuration and the levels, which these packages read. */
export const settingsRoot = 'regal_settings';

const ast = `package regal.ast

import data.regal.config
import data.regal.util

rules := [rule | some rule in input.rules; not rule.head.args]

functions := [rule | some rule in input.rules; rule.head.args]

tests := [rule | some rule in rules; startswith(ref_to_string(rule.head.ref), "test_")]

imports := object.get(input, "imports", [])

package_path := [part.value | some i, part in input.package.path; i > 0]

package_name := concat(".", package_path)

rule_names := {ref_static_to_string(rule.head.ref) | some rule in rules}

builtin_names := object.keys(config.capabilities.builtins)

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

_part(i, part) := sprintf(\`["%v"]\`, [part.value]) if {
	i > 0
	part.type == "string"
	not regex.match(\`^[a-zA-Z_][a-zA-Z0-9_]*$\`, part.value)
}

_part(i, part) := sprintf("[%v]", [part.value]) if {
	i > 0
	not part.type in {"string", "call", "ref", "templatestring"}
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

_settings := data.${settingsRoot}

rules := _settings.rules

user_config := _settings.user

merged_config := {"rules": rules, "capabilities": _settings.capabilities}

capabilities := object.union(_settings.capabilities, {"special": _special})

_special contains "no_filename" if input.regal.file.name == "stdin"

default path_prefix := ""

path_prefix := _settings.root

default for_rule(_, _) := {"level": "error"}

for_rule(category, title) := rules[category][title]

level_for_rule(category, title) := object.get(_settings.levels, [category, title], configured) if {
	configured := object.get(rules, [category, title, "level"], "error")
}

ignored_rule(category, title) if level_for_rule(category, title) == "ignore"

docs.base_url := "https://www.openpolicyagent.org/projects/regal/rules"

docs.resolve_url(url, category) := replace(replace(url, "$baseUrl", docs.base_url), "$category", category)
`;

const result = `package regal.result

import data.regal.config
import data.regal.util

# The package of a rule gives its name and category, and annotations the rest.
fail(chain, details) := object.union(_finding(annotations, category, title), details) if {
	is_array(chain)
	some entry in chain
	annotations := entry.annotations
	annotations.scope == "package"
	count(entry.path) > 3
	[category, title] := array.slice(entry.path, count(entry.path) - 2, count(entry.path))
}

fail(annotations, details) := object.union(_finding(annotations, category, title), details) if {
	is_object(annotations)
	category := annotations.custom.category
	title := annotations.title
}

_finding(annotations, category, title) := object.union(
	object.remove(annotations, ["custom", "scope", "schemas"]),
	{"title": title, "category": category, "level": config.level_for_rule(category, title)},
)

location(node) := _at(util.to_location_object(node.location)) if is_object(node)

location(nodes) := _at(util.to_location_object(nodes[0].location)) if is_array(nodes)

location(place) := _at(util.to_location_object(place)) if is_string(place)

location_and_description(node, description) := object.union(location(node), {"description": description})

ranged_location_between(first, last) := object.union(
	location(first),
	{"location": {"end": location(last).location.end}},
)

ranged_from_ref(ref) := ranged_location_between(ref[0], ref[count(ref) - 1])

ranged_location_from_text(node) := location(node)

# From the left operand to the end of the operator.
infix_expr_location(terms) := ranged_location_between(terms[1], terms[0])

with_text(place) := {"location": object.union(util.to_location_object(place), {
	"file": input.regal.file.name,
	"text": input.regal.file.lines[place.row - 1],
})}

ranged_from_text(place, text) := _at(object.union(place, {"end": {
	"row": place.row,
	"col": place.col + count(text),
}}))

notice(chain) := {
	"title": path[3],
	"category": path[2],
	"level": "notice",
	"severity": annotations.custom.severity,
	"description": annotations.description,
} if {
	annotations := chain[0].annotations
	path := chain[0].path
}

# The linter adds the file.
aggregate(_, found) := {
	"aggregate_source": {"package_path": [part.value | some i, part in input.package.path; i > 0]},
	"aggregate_data": found,
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

has_duplicates(list, item) if count([1 | some other in list; other == item]) > 1

repeat(text, times) := concat("", [text | some _ in numbers.range(1, times)]) if times > 0

# For tests of aggregates: each has a file.
with_source_files(rule, aggregates) := {file: {rule: aggregate} |
	some i, aggregate in aggregates
	file := sprintf("p%d.rego", [i + 1])
}

parse_bool(text) if text in {"1", "true", "True", "TRUE"}

parse_bool(text) := false if text in {"0", "false", "False", "FALSE"}

is_snake_case(text) if text == lower(text)

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
  'regal/ast_files.rego': astFiles,
  'regal/capabilities.rego': capabilityRules,
  'regal/config.rego': config,
  'regal/result.rego': result,
  'regal/util.rego': util,
  'regal/util_places.rego': utilPlaces,
};
