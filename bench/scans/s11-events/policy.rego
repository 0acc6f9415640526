package events

by_user := {user: ids |
	some event in input.events
	user := event.user
	ids := {other.id | some other in input.events; other.user == user}
}

failures := {user: n |
	some user, _ in by_user
	n := count([1 | some event in input.events; event.user == user; event.result == "failed"])
}

suspicious contains user if {
	some user, n in failures
	n > data.limit
}

kinds[event.kind] contains event.user if some event in input.events

report := {"suspicious": suspicious, "users": count(by_user), "kinds": {kind: count(users) | some kind, users in kinds}}
