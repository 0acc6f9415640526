package firewall

default verdict := {"action": "drop", "rule": null}

verdict := {"action": rule.action, "rule": rule.id} if rule := matching[0]

matching := [rule |
	some rule in data.rules
	rule.protocol in {"any", input.protocol}
	input.port >= rule.ports[0]
	input.port <= rule.ports[1]
	net.cidr_contains(rule.source, input.source)
]
