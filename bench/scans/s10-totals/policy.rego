package totals

numbers := [value | walk(data.budget, [_, value]); is_number(value)]

total := sum(numbers)

largest := max(numbers)

open contains name if {
	some path
	walk(data.budget, [path, value])
	path[1] == input.year
	value.state == "open"
	name := path[0]
}

report := {"total": total, "largest": largest, "open": open}
