# METADATA
# description: |
#  Pods have images of the company's registry, and meet the Pod Security Standard "restricted".
package admission

import data.registries
import data.restricted

# METADATA
# description: |
#  Why the object of this review is refused. An update that leaves the specification as it is (labels,
#  finalizers) is not refused, so that pods which are older than a policy can be deleted.
# entrypoint: true
deny contains message if {
	not unchanged
	some message in violations
}

# A webhook that sends other kinds needs policies for them.
deny contains $"no policy for objects of kind {input.request.kind.kind}" if not input.request.kind.kind == "Pod"

# No violation is found in what is no pod: a review of a deletion has `object: null`.
deny contains "the review has no pod with containers" if {
	input.request.kind.kind == "Pod"
	not pod
}

violations contains message if some message in restricted.violations with input as pod

violations contains message if {
	some [name, container] in restricted.containers with input as pod
	not from_registry(container)
	message := $"{name} has an image of another registry: {container.image}"
}

pod := object if {
	input.request.kind.kind == "Pod"
	object := input.request.object
	is_object(object.spec)
	is_array(object.spec.containers)
	count(object.spec.containers) > 0
	every field in ["containers", "initContainers", "ephemeralContainers"] {
		every container in list_of(object.spec, field) { is_object(container) }
	}
}

# A field that is null is one that is not there.
list_of(spec, field) := value if {
	value := object.get(spec, field, [])
	is_array(value)
} else := [] if spec[field] == null

unchanged if {
	input.request.operation == "UPDATE"
	is_object(input.request.oldObject.spec)
	input.request.oldObject.spec == pod.spec
}

from_registry(container) if {
	some registry in registries
	startswith(container.image, $"{registry}/")
}
