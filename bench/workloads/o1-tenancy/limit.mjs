export default ({ tenants }) =>
  ({ tenant, user, action }) => {
    const t = tenants[tenant];
    if (t === undefined || !t.members.includes(user) || t.state === 'frozen') return false;
    return (
      action === 'read' ||
      action === 'list' ||
      (action === 'write' && t.plan !== 'free') ||
      (action === 'delete' && t.owner === user)
    );
  };
