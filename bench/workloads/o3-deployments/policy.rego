package deployments

report := {
	"blocked": sort(blocked),
	"owners": owners,
	"score": sum([weight | some finding in findings; weight := data.weights[finding.kind]]),
}

findings contains {"service": service.name, "kind": "unowned"} if {
	some service in input.services
	not service.owner
}

findings contains {"service": service.name, "kind": "stale"} if {
	some service in input.services
	service.age_days > data.limits.age_days
}

findings contains {"service": service.name, "kind": "dependency"} if {
	some service in input.services
	some dependency in service.uses
	dependency in data.banned
}

blocked contains finding.service if {
	some finding in findings
	data.weights[finding.kind] >= data.limits.block_at
}

owners[owner] contains service.name if {
	some service in input.services
	owner := service.owner
}
