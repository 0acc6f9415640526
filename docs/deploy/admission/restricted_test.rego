package restricted_test

import data.restricted

container := {
	"name": "app",
	"image": "registry.example.com/app:1",
	"securityContext": {
		"allowPrivilegeEscalation": false,
		"capabilities": {"drop": ["ALL"]},
		"runAsNonRoot": true,
		"seccompProfile": {"type": "RuntimeDefault"},
	},
}

pod := {"spec": {
	"securityContext": {"runAsUser": 1000},
	"volumes": [{"name": "config", "configMap": {"name": "app"}}],
	"containers": [container],
	"initContainers": [object.union(container, {"name": "setup"})],
	"ephemeralContainers": [object.union(container, {"name": "debug"})],
}}

patched(value, patches) := json.patch(value, [{"op": "add", "path": path, "value": new} | some path, new in patches])

test_good if restricted.violations == set() with input as pod

test_pod_without_containers if restricted.violations == set() with input as {"spec": {}}

test_settings_of_the_pod_count if {
	bare := {"name": "app", "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}}}
	context := {"runAsNonRoot": true, "seccompProfile": {"type": "Localhost", "localhostProfile": "app.json"}}
	restricted.violations == set() with input as {"spec": {"securityContext": context, "containers": [bare]}}
}

test_windows if {
	context := {"runAsNonRoot": true, "windowsOptions": {"runAsUserName": "ContainerUser"}}
	spec := {"os": {"name": "windows"}, "securityContext": context, "containers": [{"name": "app"}]}
	restricted.violations == set() with input as {"spec": spec}
}

allowed_in_pod := {
	"no host": {"/spec/hostNetwork": false, "/spec/hostPID": null},
	"sysctl": {"/spec/securityContext/sysctls": [{"name": "net.ipv4.tcp_syncookies", "value": "1"}]},
	"volumes": {"/spec/volumes": [
		{"name": "a", "emptyDir": {}, "hostPath": null},
		{"name": "b", "persistentVolumeClaim": {"claimName": "b"}},
	]},
	"AppArmor": {"/metadata": {"annotations": {"container.apparmor.security.beta.kubernetes.io/app": "localhost/app"}}},
}

test_allowed_in_pod[name] if {
	some name, patches in allowed_in_pod
	restricted.violations == set() with input as patched(pod, patches)
}

refused_in_pod := {
	"hostNetwork": [{"/spec/hostNetwork": true}, "pod uses the node: hostNetwork"],
	"hostPID": [{"/spec/hostPID": true}, "pod uses the node: hostPID"],
	"hostIPC": [{"/spec/hostIPC": true}, "pod uses the node: hostIPC"],
	"host process": [{"/spec/securityContext/windowsOptions": {"hostProcess": true}}, "pod is a host process"],
	"hostPath": [{"/spec/volumes/-": {"name": "root", "hostPath": {"path": "/"}}}, "volume root has the type hostPath"],
	"nfs": [{"/spec/volumes/-": {"name": "n", "nfs": {"server": "s"}}}, "volume n has the type nfs"],
	"user 0": [{"/spec/securityContext/runAsUser": 0}, "pod runs as root: runAsUser is 0"],
	"root": [{"/spec/securityContext/runAsNonRoot": false}, "pod may run as root: runAsNonRoot is false"],
	"seccomp": [
		{"/spec/securityContext/seccompProfile": {"type": "Unconfined"}},
		"pod has the seccomp profile Unconfined",
	],
	"AppArmor": [
		{"/spec/securityContext/appArmorProfile": {"type": "Unconfined"}},
		"pod has the AppArmor profile Unconfined",
	],
	"AppArmor annotation": [
		{"/metadata": {"annotations": {"container.apparmor.security.beta.kubernetes.io/app": "unconfined"}}},
		"annotation container.apparmor.security.beta.kubernetes.io/app has the AppArmor profile unconfined",
	],
	"SELinux type": [{"/spec/securityContext/seLinuxOptions": {"type": "spc_t"}}, "pod has the SELinux type spc_t"],
	"SELinux user": [{"/spec/securityContext/seLinuxOptions": {"user": "root"}}, "pod has an SELinux user"],
	"sysctl": [
		{"/spec/securityContext/sysctls": [{"name": "kernel.msgmax", "value": "1"}]},
		"pod sets kernel.msgmax",
	],
}

test_refused_in_pod[name] if {
	some name, [patches, message] in refused_in_pod
	restricted.violations == {message} with input as patched(pod, patches)
}

allowed_in_container := {
	"port": {"/ports": [{"containerPort": 80, "hostPort": 0}, {"containerPort": 81}]},
	"probe": {"/livenessProbe": {"httpGet": {"path": "/health", "port": 80, "host": ""}}},
	"capability": {"/securityContext/capabilities/add": ["NET_BIND_SERVICE"]},
	"SELinux": {"/securityContext/seLinuxOptions": {"type": "container_t"}},
	"user": {"/securityContext/runAsUser": 1},
	"proc": {"/securityContext/procMount": "Default"},
}

refused_in_container := {
	"privileged": [{"/securityContext/privileged": true}, "is privileged"],
	"port of the host": [{"/ports": [{"containerPort": 80, "hostPort": 80}]}, "uses port 80 of the node"],
	"probe": [{"/livenessProbe": {"httpGet": {"host": "10.0.0.1"}}}, "sends a probe or hook to the host 10.0.0.1"],
	"hook": [{"/lifecycle": {"preStop": {"tcpSocket": {"host": "db"}}}}, "sends a probe or hook to the host db"],
	"host process": [{"/securityContext/windowsOptions": {"hostProcess": true}}, "is a host process"],
	"privileges": [
		{"/securityContext/allowPrivilegeEscalation": true},
		"may gain privileges: allowPrivilegeEscalation is not false",
	],
	"privileges by default": [
		{"/securityContext/allowPrivilegeEscalation": null},
		"may gain privileges: allowPrivilegeEscalation is not false",
	],
	"one dropped capability": [
		{"/securityContext/capabilities": {"drop": ["NET_RAW"]}},
		"does not drop all capabilities",
	],
	"no dropped capability": [{"/securityContext/capabilities": {}}, "does not drop all capabilities"],
	"added capability": [{"/securityContext/capabilities/add": ["SYS_ADMIN"]}, "adds the capability SYS_ADMIN"],
	"root": [{"/securityContext/runAsNonRoot": false}, "may run as root: runAsNonRoot is not true"],
	"root by default": [{"/securityContext/runAsNonRoot": null}, "may run as root: runAsNonRoot is not true"],
	"user 0": [{"/securityContext/runAsUser": 0}, "runs as root: runAsUser is 0"],
	"seccomp by default": [
		{"/securityContext/seccompProfile": null},
		"has no seccomp profile, RuntimeDefault or Localhost",
	],
	"AppArmor": [
		{"/securityContext/appArmorProfile": {"type": "Unconfined"}},
		"has the AppArmor profile Unconfined",
	],
	"SELinux type": [{"/securityContext/seLinuxOptions": {"type": "spc_t"}}, "has the SELinux type spc_t"],
	"SELinux role": [{"/securityContext/seLinuxOptions": {"role": "sysadm_r"}}, "has an SELinux role"],
	"proc": [{"/securityContext/procMount": "Unmasked"}, "has the proc mount Unmasked"],
}

kinds := {
	"containers": "container app",
	"initContainers": "init container setup",
	"ephemeralContainers": "ephemeral container debug",
}

with_container(kind, patches) := patched(pod, {$"/spec/{kind}": [patched(pod.spec[kind][0], patches)]})

test_allowed_in_container[name][kind] if {
	some name, patches in allowed_in_container
	some kind, _ in kinds
	restricted.violations == set() with input as with_container(kind, patches)
}

test_refused_in_container[name][kind] if {
	some name, [patches, message] in refused_in_container
	some kind, container_name in kinds
	restricted.violations == {$"{container_name} {message}"} with input as with_container(kind, patches)
}

test_unconfined[kind] if {
	some kind, name in kinds
	patches := {"/securityContext/seccompProfile": {"type": "Unconfined"}}
	restricted.violations == {
		$"{name} has no seccomp profile, RuntimeDefault or Localhost",
		$"{name} has the seccomp profile Unconfined",
	} with input as with_container(kind, patches)
}

test_container_without_context[kind] if {
	some kind, _ in kinds
	bare := patched(pod, {$"/spec/{kind}": [{"name": "bare"}]})
	count(restricted.violations) == 4 with input as bare
}
