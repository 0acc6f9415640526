package costs

by_team[item.team] contains item.id if {
	some item in data.items
	item.active
}

spent[team] := total if {
	some team, _ in by_team
	total := sum([item.cost | some item in data.items; item.team == team; item.active])
}

largest[team] := max([item.cost | some item in data.items; item.team == team]) if some team, _ in by_team

kinds := {kind: count(ids) |
	some item in data.items
	kind := item.kind
	ids := {other.id | some other in data.items; other.kind == kind}
}

report := {
	"teams": {team: {"items": count(ids), "spent": spent[team], "largest": largest[team]} | some team, ids in by_team},
	"kinds": kinds,
	"over": [team | some team, total in spent; total > input.limit],
}
