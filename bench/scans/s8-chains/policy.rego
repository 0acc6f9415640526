package org

# The chains of command below a person, and who is at their end.
names contains person.name if some person in data.people

names contains person.manager if some person in data.people

manages := {name: below |
	some name in names
	below := {person.name | some person in data.people; person.manager == name}
}

chains := graph.reachable_paths(manages, [input.boss])

longest := max([count(chain) | some chain in chains])

report := {"chains": count(chains), "longest": longest, "ends": {chain[count(chain) - 1] | some chain in chains}}
