package admission_test

import data.system

review(image, context) := {"request": {
	"uid": "u1",
	"kind": {"kind": "Pod"},
	"object": {"spec": {"containers": [{"name": "app", "image": image, "securityContext": context}]}},
}}

test_allowed if {
	answer := system.main with input as review("registry.example.com/app:1", {"runAsNonRoot": true})
	answer.response == {"uid": "u1", "allowed": true}
}

test_other_registry if {
	answer := system.main with input as review("docker.io/app:1", {"runAsNonRoot": true})
	not answer.response.allowed
	contains(answer.response.status.message, "another registry")
}

test_root if {
	answer := system.main with input as review("registry.example.com/app:1", {})
	answer.response.status.message == "container app may run as root"
}
