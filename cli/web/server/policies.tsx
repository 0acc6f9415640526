/** The loaded policies and their texts. */
import { useState } from 'preact/hooks';
import { Answered, useAnswer } from './answered.js';
import { askServer } from './ask-server.js';
import { PlanLink } from './plan-link.js';
import type { PolicyView, ServerView } from './server-view.js';
import { TextBlock } from './text-block.js';

export function PoliciesTab({ view }: { readonly view: ServerView }) {
  const [open, setOpen] = useState<string | undefined>(undefined);
  const shown = view.policies.find(({ id }) => id === open);
  if (view.policies.length === 0) return <p class="soft">No policy is loaded from source.</p>;
  return (
    <div class="split">
      <section aria-label="Loaded policies" class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Policy</th>
              <th scope="col">Package</th>
              <th scope="col" class="aside">
                Rules
              </th>
              <th scope="col">Bundle</th>
            </tr>
          </thead>
          <tbody>
            {view.policies.map(({ id, package: name, rules, bundle }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" class="link mono" aria-expanded={open === id} onClick={() => setOpen(id)}>
                    {id}
                  </button>
                </th>
                <td class="mono">{name}</td>
                <td class="aside">{rules}</td>
                <td>{bundle ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown !== undefined && <PolicyText key={shown.id} policy={shown} />}
    </div>
  );
}

function PolicyText({ policy: { id, path } }: { readonly policy: PolicyView }) {
  const address = `v1/policies/${id.split('/').map(encodeURIComponent).join('/')}`;
  const answer = useAnswer(() => askServer<{ readonly result: { readonly raw: string } }>(address), [id]);
  return (
    <section aria-label={id} class="scroll">
      <h2 class="mono">{id}</h2>
      <PlanLink name="path" value={path} />
      <Answered answer={answer}>{({ result }) => <TextBlock text={result.raw} />}</Answered>
    </section>
  );
}
