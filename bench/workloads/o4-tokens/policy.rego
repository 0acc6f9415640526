package tokens

default decision := {"allow": false}

decision := {"allow": true, "user": claims.sub, "roles": roles} if {
	some role in claims.roles
	some permission in data.permissions[role]
	permission.method == input.method
	startswith(input.path, permission.prefix)
}

claims := payload if {
	startswith(input.headers.authorization, "Bearer ")
	token := substring(input.headers.authorization, 7, -1)
	constraints := {"secret": data.secret, "alg": "HS256", "iss": data.issuer, "time": data.now}
	[valid, _, payload] := io.jwt.decode_verify(token, constraints)
	valid
}

roles := [upper(role) | some role in claims.roles]
