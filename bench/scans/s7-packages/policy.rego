package packages

needed := graph.reachable(data.dependencies, {input.root})

vulnerable := {name | some name in needed; data.advisories[name] >= input.severity}

report := {"needed": count(needed), "vulnerable": vulnerable, "ok": count(vulnerable) == 0}
