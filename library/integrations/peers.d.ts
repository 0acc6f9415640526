/** The parts of peers that `library/integrations/` uses: these packages are not installed here. */

declare module '@nestjs/common' {
  export class HttpException extends Error {
    constructor(response: object, status: number);
  }
  export function UseGuards(...guards: readonly object[]): MethodDecorator & ClassDecorator;
}

declare module '@trpc/server' {
  export class TRPCError extends Error {
    constructor(options: { readonly code: string; readonly message: string; readonly cause: Error });
  }
}

declare module 'react' {
  export type ReactNode = object | string | number | bigint | boolean | null | undefined;
  export interface Context<Value> {
    readonly Provider: (props: { readonly value: Value; readonly children?: ReactNode }) => ReactNode;
  }
  export function createContext<Value>(value: Value): Context<Value>;
  export function createElement<Props>(
    type: (props: Props) => ReactNode,
    props: Props,
    ...children: readonly ReactNode[]
  ): ReactNode;
  export function useCallback<F extends (...args: never[]) => unknown>(
    callback: F,
    dependencies: readonly unknown[],
  ): F;
  export function useContext<Value>(context: Context<Value>): Value;
  export function useState<State>(initial: () => State): [State, (state: State) => void];
  export function useSyncExternalStore<Snapshot>(
    subscribe: (listener: () => void) => () => void,
    snapshot: () => Snapshot,
    serverSnapshot: () => Snapshot,
  ): Snapshot;
}

declare module 'express' {
  export interface Request<Params = { [name: string]: string | string[] }> {
    readonly method: string;
    readonly params: Params;
  }
}

declare module 'fastify' {
  /** The types of a route, its server, raw request, schema, types, context, log and kind. */
  export interface FastifyRequest<
    A = object,
    B = object,
    C = object,
    D = object,
    E = object,
    F = object,
    G = object,
    H = object,
  > {
    readonly url: string;
    readonly parts?: readonly [A, B, C, D, E, F, G, H];
  }
}

declare module 'koa' {
  export interface Context {
    status: number;
    body: unknown;
    set(headers: { [name: string]: string }): void;
  }
}
