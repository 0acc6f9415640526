/** An answer of the server that a part of the page waits for. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface Waited<T> {
  readonly value?: T;
  readonly problem?: string;
}

/** Asks when one of the dependencies has changed. */
export function useAnswer<T>(ask: () => Promise<T>, dependencies: readonly unknown[]): Waited<T> {
  const [waited, setWaited] = useState<Waited<T>>({});
  useEffect(() => {
    let isOpen = true;
    setWaited({});
    ask().then(
      (value) => isOpen && setWaited({ value }),
      (error: Error) => isOpen && setWaited({ problem: error.message }),
    );
    return () => {
      isOpen = false;
    };
  }, dependencies);
  return waited;
}

interface AnsweredProps<T> {
  readonly answer: Waited<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Answered<T>({ answer: { value, problem }, children }: AnsweredProps<T>) {
  if (problem !== undefined) return <pre class="fault">{problem}</pre>;
  return <>{value === undefined ? <p class="soft">…</p> : children(value)}</>;
}
