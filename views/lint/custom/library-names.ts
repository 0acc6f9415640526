/** Further names of `data.regal.ast` and `data.regal.util`: names, scopes, places and comments. */

export const astNames = `package regal.ast

import data.regal.config
import data.regal.util

operators := {
	"and", "assign", "div", "eq", "equal", "gt", "gte", "internal.member_2", "internal.member_3",
	"lt", "lte", "minus", "mul", "neq", "or", "plus", "rem",
}

is_wildcard(term) if {
	term.type == "var"
	startswith(term.value, "$")
}

package_name_full := concat("", ["data.", package_name])

named_refs(ref) := [part | some i, part in ref; _gives_name(i, part)]

_gives_name(0, part) if part.type == "var"

_gives_name(i, part) if {
	i > 0
	part.type == "string"
}

_is_hidden(rule) if startswith(rule.head.ref[0].value, "_")

_is_hidden(rule) if {
	some i, part in rule.head.ref
	i > 0
	part.type == "string"
	startswith(part.value, "_")
}

public_rules_and_functions := [rule | some rule in all_rules; not _is_hidden(rule)]

function_arg_names(rule) := [arg.value | some arg in rule.head.args]

rule_names_ordered := [ref_static_to_string(rule.head.ref) | some rule in all_rules]

rule_and_function_names := {name | some name in rule_names_ordered}

rule_head_locations[path] contains {"row": place.row, "col": place.col} if {
	some i, rule in all_rules
	path := concat(".", [package_name_full, rule_names_ordered[i]])
	place := util.to_location_object(rule.head.location)
}

resolved_imports[name] := path if {
	some imported in imports
	imported.path.value[0].value in {"data", "input"}
	path := [part.value | some part in imported.path.value]
	name := object.get(imported, "alias", path[count(path) - 1])
}

imported_identifiers := object.keys(resolved_imports)

identifiers := rule_and_function_names | imported_identifiers

function_decls[name] := {"decl": {"args": args, "result": {"type": "any"}}} if {
	some rule in functions
	name := ref_to_string(rule.head.ref)
	args := [{"type": "any"} | some _ in rule.head.args]
}

all_functions := object.union(config.capabilities.builtins, function_decls)

all_function_names := object.keys(all_functions)

function_ret_args(name, terms) := array.slice(terms, count(all_functions[name].decl.args) + 1, count(terms))

function_ret_in_args(name, terms) if {
	name != "print"
	count(terms) > count(all_functions[name].decl.args) + 1
}

extend_ref_terms(first, second) := array.concat(
	array.concat(first, [object.union(second[0], {"type": "string"})]),
	array.slice(second, 1, count(second)),
)

custom_function_namespaces := {split(name, ".")[0] | some name, _ in function_decls}

all_function_namespaces := builtin_namespaces | custom_function_namespaces

builtin_functions_called := {call.name | some calls in function_calls; some call in calls; call.name in builtin_names}

assignment_terms(terms) := [terms[1], terms[2]] if terms[0].value[0].value == "assign"

is_terms_subset(short, long) if {
	count(short) <= count(long)
	ref_value_equal(short, array.slice(long, 0, count(short)))
}

implicit_boolean_assignment(rule) if not rule.head.value.location

is_chained_rule_body(rule, lines) if {
	place := util.to_location_object(rule.head.location)
	startswith(substring(lines[place.row - 1], place.col - 1, -1), "{")
}

find_term_vars(tree) := [part | walk(tree, [_, part]); is_object(part); part.type == "var"]

has_term_var(tree) if count(find_term_vars(tree)) > 0

find_ref_vars(ref) := [part | some i, part in ref.value; i > 0; part.type == "var"]

has_named_var(term, name) if {
	term.type in {"var", "ref", "array", "object", "set"}
	some variable in find_term_vars(term)
	variable.value == name
}

var_in_head(head, name) if {
	some part in ["key", "value"]
	has_named_var(head[part], name)
}

var_in_head(head, name) if {
	some i, part in head.ref
	i > 0
	has_named_var(part, name)
}

var_in_call(calls, rule_index, name) if {
	some call in calls[rule_index]
	some arg in call.args
	has_named_var(arg, name)
}

find_vars(tree) := [variable |
	walk(tree, [path, part])
	some variable in _declared(path, part)
]

_declared(path, terms) := _plain_vars(terms[1]) if {
	path[count(path) - 1] == "terms"
	terms[0].value[0].value in {"assign", "eq"}
}

_declared(path, symbols) := _symbol_vars(symbols) if path[count(path) - 1] == "symbols"

_declared(path, terms) := _plain_vars([object.get(terms, "key", {}), terms.value]) if {
	path[count(path) - 1] == "terms"
	terms.domain
}

_declared(path, args) := [arg | some arg in args; arg.type == "var"] if path[count(path) - 1] == "args"

_declared(_, part) := find_ref_vars(part) if part.type == "ref"

_symbol_vars(symbols) := [symbol | some symbol in symbols] if symbols[0].type == "var"

_symbol_vars(symbols) := _plain_vars(array.slice(symbols[0].value, 1, count(symbols[0].value) - 1)) if {
	symbols[0].type == "call"
}

_plain_vars(tree) := [variable | some variable in find_term_vars(tree); not is_wildcard(variable)]

_index_of(rule) := [format_int(i, 10) | some i, other in all_rules; other.location == rule.location][0]

_vars_of(rule) := {variable | some variables in found.vars[_index_of(rule)]; some variable in variables}

find_vars_in_local_scope(rule, location) := [variable |
	some variable in _vars_of(rule)
	not is_wildcard(variable)
	_is_before(rule.head, variable, util.to_location_object(location))
]

_is_before(head, _, place) if {
	util.contains_location(util.to_location_object(head.value.location), place)
}

_is_before(_, variable, place) if {
	start := util.to_location_object(variable.location)
	[start.row, start.col] < [place.row, place.col]
}

find_names_in_local_scope(rule, location) := {variable.value |
	some variable in find_vars_in_local_scope(rule, location)
}

find_names_in_scope(rule, location) := (rule_names | imported_identifiers) | find_names_in_local_scope(rule, location)

find_some_decl_names_in_scope(rule, location) := {symbol.value |
	some symbol in found.vars[_index_of(rule)].some
	_is_before(rule.head, symbol, util.to_location_object(location))
}

is_in_local_scope(rule, location, name) if {
	some variable in find_vars_in_local_scope(rule, location)
	variable.value == name
	variable.location != location
}

is_output_var(_, variable) if is_wildcard(variable)

is_output_var(rule, variable) if {
	not is_wildcard(variable)
	not variable.value in rule_names
	not variable.value in imported_identifiers
	above := [1 | some other in find_vars_in_local_scope(rule, variable.location); other.value == variable.value]
	declared := [1 | some name in find_some_decl_names_in_scope(rule, variable.location); name == variable.value]
	count(above) == count(declared)
}

with_rego_v0(text) := regal.parse_module("policy_v0.rego", concat("", ["package policy\\n\\n", text]))
`;

export const utilPlaces = `package regal.util

single_set_item(items) := [item | some item in items][0] if count(items) == 1

rest(list) := array.slice(list, 1, count(list))

all_paths(path) := [array.slice(path, 0, length) | some length in numbers.range(1, count(path))]

longest_prefix(lists) := prefixes[count(prefixes) - 1] if {
	first := any_set_item(lists)
	prefixes := [prefix |
		some length in numbers.range(0, count(first))
		prefix := array.slice(first, 0, length)
		every list in lists {
			array.slice(list, 0, length) == prefix
		}
	]
}

intersects(left, right) if count(left & right) > 0

last_indexof(list, item) := max([i | some i, other in list; other == item])

substring_to(text, start, end) := substring(text, start, indexof(substring(text, start, -1), end))

point_in_range([row, col], [first, last]) if {
	[row, col] >= first
	[row, col] <= last
}

contains_location(outer, inner) if {
	[outer.row, outer.col] <= [inner.row, inner.col]
	[inner.end.row, inner.end.col] <= [outer.end.row, outer.end.col]
}

to_location_no_text(location) := object.remove(to_location_object(location), ["text"])

json_pretty(value) := json.marshal_with_options(value, {"indent": "  ", "pretty": true})
`;
