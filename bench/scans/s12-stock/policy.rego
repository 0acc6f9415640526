package stock

stored[item.site][item.sku] := item.amount if some item in data.items

shortages[site] := missing if {
	some site, wanted in input.orders
	missing := {sku: short |
		some sku, amount in wanted
		short := amount - object.get(stored, [site, sku], 0)
		short > 0
	}
	count(missing) > 0
}

sites := {site: {"kinds": count(skus), "amount": sum([amount | some amount in skus])} | some site, skus in stored}

report := {"shortages": shortages, "sites": sites}
