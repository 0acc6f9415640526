package billing

# Each plan, period and resource that exceeds its limit.
overages contains {"plan": plan.id, "period": period.id, "resource": resource.name, "over": used - resource.limit} if {
	some plan in data.plans
	some period in data.periods
	period.open
	some resource in plan.resources
	used := data.usage[plan.id][period.id][resource.name]
	used > resource.limit
	resource.region in input.regions
}

total := sum([o.over | some o in overages])

count_by_period[period.id] := n if {
	some period in data.periods
	n := count([1 | some o in overages; o.period == period.id])
}

report := {"total": total, "periods": count_by_period, "worst": max([o.over | some o in overages])}
