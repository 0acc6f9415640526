package access

parents[role] := members if {
	some role, _ in data.roles
	members := {parent | some parent in data.roles[role].inherits}
}

reached := graph.reachable(parents, input.roles)

permissions contains permission if {
	some role in reached
	some permission in data.roles[role].permissions
}

decision := {"allow": input.permission in permissions, "roles": count(reached)}
