/** The way to a plan in the inspector's page, in a tab of its own that keeps the token. */

interface PlanLinkProps {
  readonly name: 'decision' | 'path';
  readonly value: string;
}

export function PlanLink({ name, value }: PlanLinkProps) {
  return (
    <p class="ways">
      <a
        href={`ui/plan?${name}=${encodeURIComponent(value)}${name === 'decision' ? '#run=open' : ''}`}
        // biome-ignore lint/security/noBlankTarget: the same server, whose page needs the token
        target="_blank"
        rel="opener"
      >
        Plan in the inspector
      </a>
    </p>
  );
}
