# METADATA
# title: Who may do what with an order
# schemas:
#   - input:
#       type: object
#       required: [user, action]
#       additionalProperties: false
#       properties:
#         user:
#           type: object
#           required: [name, roles]
#           additionalProperties: false
#           properties:
#             name: {type: string}
#             roles: {type: array, items: {enum: [customer, support]}}
#         action: {enum: [list, read, create, delete]}
#         order:
#           type: object
#           required: [owner]
#           properties:
#             owner: {type: string}
package orders

# METADATA
# title: Whether the user may do it
# entrypoint: true
default allow := false

# Everyone may list orders: the list has their own only.
allow if input.action == "list"

allow if input.user.name == input.order.owner

# Support reads all orders.
allow if {
	"support" in input.user.roles
	input.action == "read"
}

# METADATA
# title: Why not
# entrypoint: true
deny contains sprintf("only %s may %s this order", [input.order.owner, input.action]) if not allow
