/** The status that ends a gRPC call. */

export const grpcCodes = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

export type GrpcCode = (typeof grpcCodes)[keyof typeof grpcCodes];

/** Ends a call with a code other than 0. */
export class GrpcError extends Error {
  readonly code: GrpcCode;

  constructor(code: GrpcCode, message: string) {
    super(message);
    this.name = 'GrpcError';
    this.code = code;
  }
}

/** The longest message in a trailer, which must fit into a client's limit of headers. */
const longestMessage = 4096;

/** A message as a header: bytes outside of printable ASCII are escaped. */
export function headerText(message: string): string {
  const bounded = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
  if (/^[ -$&-~]*$/.test(bounded)) return bounded;
  return bounded
    .toWellFormed()
    .replace(/[^ -$&-~]+/g, (part) =>
      [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    );
}
