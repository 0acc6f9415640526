# METADATA
# description: |
#  What a client may ask the server (`--authorization=basic`): reviews, and nothing that reads or
#  writes policies and data.
package system.authz

default allow := false

allow if {
	input.method == "POST"
	input.path == [""]
}
