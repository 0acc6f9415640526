/** The values at an event: calls, locals, and where a local's value comes from. */
import type { RunState } from './run-state.js';
import { shortName } from './timeline.js';

export function Values({ run }: { readonly run: RunState }) {
  const recording = run.recording.value;
  if (recording === undefined || recording.length === 0) return <div class="values" />;
  const at = run.at.value;
  const links = run.page.links.value;
  return (
    <div class="values">
      <section aria-label="Calls">
        <h3>Calls</h3>
        <ol class="stack">
          {recording.stackAt(at).map(({ owner, at: begin }) => (
            <li key={begin}>
              <button type="button" class="link mono" onClick={() => run.goTo(begin)}>
                {shortName(links.ownerName(owner))}
              </button>
            </li>
          ))}
        </ol>
      </section>
      <section aria-label="Values">
        <h3>Values</h3>
        <table class="locals">
          <tbody>
            {recording.localsAt(at).map(({ local, at: given, text }) => (
              <tr key={local}>
                <th scope="row" class="mono">
                  {run.nameOf(local, given)}
                </th>
                <td class="mono" title={text}>
                  {text}
                </td>
                <td>
                  <button
                    type="button"
                    class="link"
                    title="Where does this value come from?"
                    aria-label={`Where does ${run.nameOf(local, given)} come from?`}
                    onClick={() => run.showOrigin(local)}
                  >
                    from?
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {run.origin.value.length > 0 && <Origin run={run} />}
    </div>
  );
}

function Origin({ run }: { readonly run: RunState }) {
  const links = run.page.links.value;
  return (
    <section class="origin" aria-label="Where the value comes from">
      <h3>Where it comes from</h3>
      <ol>
        {run.origin.value.map(({ at, statement, title, depth, text }) => (
          <li key={`${at} ${title} ${depth}`} style={{ paddingLeft: `${Math.min(depth, 12) * 12}px` }}>
            <button type="button" class="link mono" onClick={() => run.goTo(at)}>
              {statement === undefined ? title : links.textOf(statement)}
            </button>{' '}
            <code class="soft">{text}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}
