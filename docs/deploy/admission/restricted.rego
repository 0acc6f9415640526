# METADATA
# description: |
#  The Pod Security Standard "restricted", which has all of "baseline". The input is a pod.
#  https://kubernetes.io/docs/concepts/security/pod-security-standards/
package restricted

# METADATA
# description: Pairs of a container and its name in messages.
containers contains [$"container {container.name}", container] if some container in input.spec.containers

containers contains [$"init container {container.name}", container] if some container in input.spec.initContainers

containers contains [$"ephemeral container {container.name}", container] if {
	some container in input.spec.ephemeralContainers
}

# The security contexts of the pod and of its containers.
contexts contains ["pod", input.spec.securityContext]

contexts contains [name, container.securityContext] if some [name, container] in containers

# Windows has no users, capabilities and system calls of Linux.
linux if not input.spec.os.name == "windows"

# A value that decides for the pod, unless the container has its own.
effective(container, field) := value if {
	value := container.securityContext[field]
	value != null
} else := input.spec.securityContext[field]

enabled(value, field) if not value[field] in [null, false]

# A call under `not` would be undefined with an argument that is undefined, so the violations below
# negate rules, comparisons, and calls whose arguments are always defined.

# METADATA
# description: What the pod has against the standard, as sentences.
violations contains $"pod uses the node: {field}" if {
	some field in ["hostNetwork", "hostPID", "hostIPC"]
	enabled(input.spec, field)
}

violations contains $"{name} is a host process" if {
	some [name, context] in contexts
	enabled(context.windowsOptions, "hostProcess")
}

violations contains $"{name} is privileged" if {
	some [name, context] in contexts
	enabled(context, "privileged")
}

violations contains $"{name} uses port {port.hostPort} of the node" if {
	some [name, container] in containers
	some port in container.ports
	not port.hostPort in [null, 0]
}

violations contains $"{name} sends a probe or hook to the host {host}" if {
	some [name, handler] in handlers
	some action in ["httpGet", "tcpSocket"]
	host := handler[action].host
	not host in [null, ""]
}

handlers contains [name, container[probe]] if {
	some [name, container] in containers
	some probe in ["livenessProbe", "readinessProbe", "startupProbe"]
}

handlers contains [name, container.lifecycle[hook]] if {
	some [name, container] in containers
	some hook in ["postStart", "preStop"]
}

violations contains $"volume {volume.name} has the type {type}" if {
	some volume in input.spec.volumes
	some type, value in volume
	not type in volume_fields
	value != null
}

volume_fields := {
	"name", "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret",
}

violations contains $"{name} may gain privileges: allowPrivilegeEscalation is not false" if {
	linux
	some [name, container] in containers
	not container.securityContext.allowPrivilegeEscalation == false
}

violations contains $"{name} does not drop all capabilities" if {
	linux
	some [name, container] in containers
	not drops_all(container)
}

drops_all(container) if "ALL" in container.securityContext.capabilities.drop

violations contains $"{name} adds the capability {capability}" if {
	linux
	some [name, container] in containers
	some capability in container.securityContext.capabilities.add
	capability != "NET_BIND_SERVICE"
}

violations contains $"{name} may run as root: runAsNonRoot is not true" if {
	some [name, container] in containers
	not runs_without_root(container)
}

runs_without_root(container) if effective(container, "runAsNonRoot") == true

violations contains "pod may run as root: runAsNonRoot is false" if {
	input.spec.securityContext.runAsNonRoot == false
}

violations contains $"{name} runs as root: runAsUser is 0" if {
	some [name, context] in contexts
	context.runAsUser == 0
}

violations contains $"{name} has no seccomp profile, RuntimeDefault or Localhost" if {
	linux
	some [name, container] in containers
	not confined(container)
}

confined(container) if effective(container, "seccompProfile").type in profiles

profiles := {"RuntimeDefault", "Localhost"}

violations contains $"{name} has the seccomp profile {profile}" if {
	linux
	some [name, context] in contexts
	profile := context.seccompProfile.type
	not profile in profiles
}

violations contains $"{name} has the AppArmor profile {profile}" if {
	some [name, context] in contexts
	profile := context.appArmorProfile.type
	not profile in profiles
}

violations contains $"annotation {key} has the AppArmor profile {profile}" if {
	some key, profile in input.metadata.annotations
	startswith(key, "container.apparmor.security.beta.kubernetes.io/")
	not regex.match(`^($|runtime/default$|localhost/)`, profile)
}

violations contains $"{name} has the SELinux type {type}" if {
	some [name, context] in contexts
	type := context.seLinuxOptions.type
	not type in {null, "", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"}
}

violations contains $"{name} has an SELinux {field}" if {
	some [name, context] in contexts
	some field in ["user", "role"]
	not context.seLinuxOptions[field] in [null, ""]
}

violations contains $"{name} has the proc mount {context.procMount}" if {
	some [name, context] in contexts
	not context.procMount in [null, "", "Default"]
}

violations contains $"pod sets {sysctl.name}" if {
	some sysctl in input.spec.securityContext.sysctls
	not sysctl.name in safe_sysctls
}

safe_sysctls := {
	"kernel.shm_rmid_forced",
	"net.ipv4.ip_local_port_range",
	"net.ipv4.ip_local_reserved_ports",
	"net.ipv4.ip_unprivileged_port_start",
	"net.ipv4.ping_group_range",
	"net.ipv4.tcp_fin_timeout",
	"net.ipv4.tcp_keepalive_intvl",
	"net.ipv4.tcp_keepalive_probes",
	"net.ipv4.tcp_keepalive_time",
	"net.ipv4.tcp_rmem",
	"net.ipv4.tcp_syncookies",
	"net.ipv4.tcp_wmem",
}
