package admission_test

import data.restricted_test
import data.system
import data.system.authz

review(pod) := {"request": {
	"uid": "u1",
	"operation": "CREATE",
	"kind": {"group": "", "version": "v1", "kind": "Pod"},
	"object": pod,
}}

update(old, new) := {"request": object.union(review(new).request, {"operation": "UPDATE", "oldObject": old})}

good := restricted_test.pod

privileged := restricted_test.patched(good, {"/spec/containers/0/securityContext/privileged": true})

messages(answer) := answer.response.status.message if {
	answer.response.allowed == false
	answer.response.uid == "u1"
}

test_allowed if {
	answer := system.main with input as review(good)
	answer.response == {"uid": "u1", "allowed": true}
}

test_another_registry[kind] if {
	some kind, name in restricted_test.kinds
	pod := restricted_test.patched(good, {$"/spec/{kind}/0/image": "docker.io/app:1"})
	answer := system.main with input as review(pod)
	messages(answer) == $"{name} has an image of another registry: docker.io/app:1"
}

test_registry_whose_name_begins_the_same if {
	pod := restricted_test.patched(good, {"/spec/containers/0/image": "registry.example.com.evil.example/app:1"})
	answer := system.main with input as review(pod)
	contains(messages(answer), "another registry")
}

test_container_without_image if {
	pod := json.remove(good, ["/spec/containers/0/image"])
	answer := system.main with input as review(pod)
	contains(messages(answer), "another registry")
}

test_restricted if {
	answer := system.main with input as review(privileged)
	messages(answer) == "container app is privileged"
}

test_two_reasons if {
	pod := restricted_test.patched(privileged, {"/spec/hostPID": true})
	answer := system.main with input as review(pod)
	messages(answer) == "container app is privileged; pod uses the node: hostPID"
}

# A finalizer is removed from a pod that is older than the policy.
test_update_of_metadata if {
	old := object.union(privileged, {"metadata": {"finalizers": ["example.com/wait"]}})
	answer := system.main with input as update(old, privileged)
	answer.response.allowed
}

test_update_that_adds_an_ephemeral_container if {
	old := restricted_test.patched(good, {"/spec/ephemeralContainers": []})
	new := restricted_test.patched(good, {"/spec/ephemeralContainers/0/securityContext/privileged": true})
	answer := system.main with input as update(old, new)
	messages(answer) == "ephemeral container debug is privileged"
}

test_another_kind if {
	request := object.union(review(good).request, {"kind": {"group": "apps", "version": "v1", "kind": "Deployment"}})
	answer := system.main with input as {"request": request}
	messages(answer) == "no policy for objects of kind Deployment"
}

no_pods := {
	"null": null,
	"a text": "pod",
	"a list": [good],
	"empty": {},
	"without a specification": object.remove(good, ["spec"]),
	"a specification that is null": object.union(object.remove(good, ["spec"]), {"spec": null}),
	"without containers": json.remove(good, ["/spec/containers"]),
	"no containers": restricted_test.patched(good, {"/spec/containers": []}),
	"containers in an object": restricted_test.patched(good, {"/spec/containers": {"a": {}}}),
	"init containers in an object": restricted_test.patched(good, {"/spec/initContainers": {"a": {}}}),
	"a container that is null": restricted_test.patched(good, {"/spec/initContainers/0": null}),
}

test_no_pod[name] if {
	some name, object in no_pods
	answer := system.main with input as review(object)
	messages(answer) == "the review has no pod with containers"
}

test_no_object if {
	answer := system.main with input as {"request": object.remove(review(good).request, ["object"])}
	messages(answer) == "the review has no pod with containers"
}

test_update_to_no_pod if {
	answer := system.main with input as update(null, null)
	messages(answer) == "the review has no pod with containers"
}

test_lists_that_are_null if {
	pod := object.union(good, {"spec": object.union(good.spec, {"initContainers": null})})
	answer := system.main with input as review(pod)
	answer.response.allowed
}

test_other_requests[request] if {
	some request in [
		{"method": "GET", "path": [""]},
		{"method": "PUT", "path": ["v1", "policies", "main.rego"]},
		{"method": "POST", "path": ["v1", "data"]},
	]
	not authz.allow with input as request
}

test_request_of_a_review if authz.allow with input as {"method": "POST", "path": [""]}
