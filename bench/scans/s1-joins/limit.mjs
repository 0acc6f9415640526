export default ({ plans, periods, usage }) =>
  ({ regions }) => {
    let total = 0;
    let worst = -Infinity;
    const counts = Object.fromEntries(periods.map(({ id }) => [id, 0]));
    for (const plan of plans)
      for (const period of periods) {
        if (!period.open) continue;
        const used = usage[plan.id][period.id];
        for (const { name, limit, region } of plan.resources) {
          const over = used[name] - limit;
          if (over <= 0 || !regions.includes(region)) continue;
          total += over;
          worst = Math.max(worst, over);
          counts[period.id]++;
        }
      }
    return { total, periods: counts, worst };
  };
