package rota

# Pairs of shifts of one person that overlap: no index helps within a person.
conflicts contains [a.id, b.id] if {
	some person in data.people
	some a in data.shifts[person]
	some b in data.shifts[person]
	a.id < b.id
	a.start < b.end
	b.start < a.end
	a.day == input.day
	b.day == input.day
}

tired contains person if {
	some person in data.people
	hours := sum([length |
		some shift in data.shifts[person]
		shift.day == input.day
		length := shift.end - shift.start
	])
	hours > data.limits[person]
}

report := {"conflicts": count(conflicts), "tired": tired}
