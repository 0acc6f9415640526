// Images and privileged containers anywhere in a document.
export const meta = { entrypoint: 'manifests/report', title: 'walk over manifests', timed: [0] };

export function generate(scale = 1) {
  const document = {
    items: Array.from({ length: Math.ceil(30 * scale) }, (_, i) => ({
      kind: 'Deployment',
      metadata: { name: `app-${i}`, labels: { app: `app-${i}`, tier: 'web' } },
      spec: {
        replicas: i % 4,
        containers: [
          {
            name: 'main',
            image: i % 10 === 0 ? `docker.io/app-${i}` : `registry.local/app-${i}`,
            securityContext: { privileged: i % 20 === 0 },
            ports: [80, 443],
          },
          { name: 'side', image: 'registry.local/side', env: [{ name: 'A', value: 'b' }] },
        ],
      },
    })),
  };
  return { data: {}, inputs: [{ document, registry: 'registry.local/' }] };
}
