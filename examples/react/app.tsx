import { Allowed, useDecision } from 'writ/react';
import type { Order, User } from '../data.ts';
import policy from '../policies/orders.rego';

interface Props {
  readonly user: User;
  readonly order: Order;
}

/** Decides in the page, with the policy's module: there is nothing to wait for. */
export function OrderPage({ user, order }: Props) {
  const { allowed } = useDecision(policy.allow, { user, action: 'read', order });
  if (!allowed) return <p>no order</p>;
  return (
    <article>
      {order.item}
      <Allowed
        rule={policy.allow}
        input={{ user, action: 'delete', order }}
        fallback={<p>{policy.deny({ user, action: 'delete', order })}</p>}
      >
        <button type="button">Delete</button>
      </Allowed>
    </article>
  );
}

/** Asks the server of the PolicyProvider. */
export function RemotePage({ user, order }: Props) {
  const { allowed, isLoading, error } = useDecision('orders/allow', { user, action: 'read', order });
  if (isLoading) return <p>…</p>;
  if (error !== undefined) return <p>failed: {error.message}</p>;
  if (!allowed) return <p>no order</p>;
  return (
    <article>
      {order.item}
      <Allowed rule="orders/allow" input={{ user, action: 'delete', order }}>
        <button type="button">Delete</button>
      </Allowed>
    </article>
  );
}
