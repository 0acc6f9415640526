import { expect, test } from 'vitest';
import { OpenProjects } from './opened-project.js';
import { testProject } from './test-run.js';

test.each([
  ['a test that is true', 'test_x if data.level == 1', 'passed'],
  ['a test that is undefined', 'test_x if data.level == 2', 'failed'],
  ['a test that is false', 'test_x := false', 'failed'],
  ['a test that is no truth value', 'test_x := 5', 'failed'],
  ['a test whose cases are true', 'test_x[n] if some n in ["a", "b"]', 'passed'],
  ['a test with a case that is false', 'test_x := {"a": true, "b": false}', 'failed'],
  ['a test that is left out', 'todo_test_x if false', 'skipped'],
] as const)('%s', async (_title, rule, state) => {
  const files = [{ file: 'a_test.rego', text: `package a_test\n\n${rule}\n` }];
  const { tests, problems } = await testProject(new OpenProjects(), { files, data: '{"level": 1}', input: '' });
  expect([problems, tests.map((one) => one.state)]).toEqual([[], [state]]);
});
