break q.rego:5 if x == 123456
c
p x
c
q
