import { expect, test } from 'vitest';
import { linkedProject, linkOf } from './project-link.js';

const project = {
  files: [{ file: 'a b/pölicy.rego', text: 'package a\n\n# 💡\nallow := true\n' }],
  input: '{"n": 12345678901234567890}',
  data: '',
  query: 'data.a.allow',
};

test('a project comes back from its link, letter by letter', async () => {
  const fragment = await linkOf(project);
  expect(fragment).toMatch(/^p=[\w-]+$/);
  expect(await linkedProject(`#${fragment}`)).toEqual(project);
});

test('a fragment of another kind is no project', async () => {
  expect(await linkedProject('')).toBeUndefined();
  expect(await linkedProject('#theme=dark')).toBeUndefined();
});

test.each(['p=', 'p=!!!', 'p=AAAA', `p=${btoa('no deflate')}`])('%s is refused', async (fragment) => {
  await expect(linkedProject(fragment)).rejects.toThrow();
});

test('JSON of another form is refused', async () => {
  const stream = new Blob(['{"files":[["a",1]],"input":"","data":"","query":""}']).stream();
  const bytes = new Uint8Array(await new Response(stream.pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
  await expect(linkedProject(`p=${btoa(String.fromCharCode(...bytes))}`)).rejects.toThrow('does not hold a project');
});

test('a link that inflates without end is refused', async () => {
  const stream = new Blob([new Uint8Array(50_000_000)]).stream();
  const bytes = new Uint8Array(await new Response(stream.pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  await expect(linkedProject(`p=${btoa(text)}`)).rejects.toThrow('larger than 8 MB');
});
