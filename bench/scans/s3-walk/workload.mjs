// Walks over a document: values that look like secrets, and keys.
export const meta = { entrypoint: 'secrets/report', title: 'walk over a document', timed: [0, 1] };

export function generate(scale = 1) {
  const document = (offset) => ({
    services: Array.from({ length: Math.ceil(40 * scale) }, (_, i) => ({
      name: `service-${i}`,
      env: {
        HOME: '/root',
        [`key_${i % 9}_token`]: (i + offset) % 5 === 0 ? 'secret:abc' : 'vault:abc',
        retries: i,
        nested: { list: ['a', 'b', { deep: i % 7 === 0 ? 'secret:deep' : 'plain' }] },
      },
    })),
  });
  return { data: {}, inputs: [{ document: document(0) }, { document: document(3) }] };
}
