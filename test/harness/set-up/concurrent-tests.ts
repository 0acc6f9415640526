/** Clean-up after tests, also after those that run at the same time as others of their file. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { onTestFinished as afterNewestTest, aroundEach, type TestContext } from 'vitest';

const running = new AsyncLocalStorage<TestContext>();

/**
 * For the top of a file with concurrent tests: what a helper starts in one of them ends with that
 * test. vitest's own function takes the test that began last.
 */
export function tellTestsApart(): void {
  aroundEach((runTest, context) => running.run(context, runTest));
}

/** Calls a function after the test that is running. */
export function onTestFinished(finish: () => Promise<void> | void): void {
  const test = running.getStore();
  if (test === undefined) afterNewestTest(finish);
  else test.onTestFinished(finish);
}
