package tenancy

default allow := false

allow if {
	member
	action_permitted
	not frozen
}

member if input.user in data.tenants[input.tenant].members

frozen if data.tenants[input.tenant].state == "frozen"

action_permitted if input.action in {"read", "list"}

action_permitted if {
	input.action == "write"
	data.tenants[input.tenant].plan != "free"
}

action_permitted if {
	input.action == "delete"
	data.tenants[input.tenant].owner == input.user
}
