# METADATA
# description: Pods have images of the company's registry, and do not run as root.
package admission

import data.registries

# METADATA
# entrypoint: true
deny contains message if {
	some container in pod.spec.containers
	not from_registry(container.image)
	message := sprintf("container %s has an image of another registry: %s", [container.name, container.image])
}

deny contains message if {
	some container in pod.spec.containers
	not runs_without_root(container)
	message := sprintf("container %s may run as root", [container.name])
}

pod := input.request.object if input.request.kind.kind == "Pod"

from_registry(image) if {
	some registry in registries
	startswith(image, $"{registry}/")
}

runs_without_root(container) if container.securityContext.runAsNonRoot == true

runs_without_root(container) if {
	pod.spec.securityContext.runAsNonRoot == true
	not container.securityContext.runAsNonRoot == false
}
