package sales

# Orders, customers and products are lists: each order is joined with both by their ids.
lines contains {"order": order.id, "country": customer.country, "worth": order.amount * product.price} if {
	some order in data.orders
	order.amount >= input.least
	some customer in data.customers
	customer.id == order.customer
	not customer.blocked
	some product in data.products
	product.id == order.product
}

by_country[country] := sum([line.worth | some line in lines; line.country == country]) if {
	some country in {line.country | some line in lines}
}

blocked := [order.id |
	some order in data.orders
	some customer in data.customers
	customer.id == order.customer
	customer.blocked
]

report := {"countries": by_country, "blocked": count(blocked), "lines": count(lines)}
