/** Reports of a change for code: annotations of GitHub, and SARIF. */
import { countedNoun, workflowMessage, workflowProperty } from '../../../values/index.js';
import type { PolicyPlace } from '../causes.js';
import { type DifferenceKind, differenceKinds, kindTexts } from '../outcome.js';
import type { ChangeReport, DifferenceGroup } from '../report.js';
import { allGroups, answerText, causeText, headlines, shortJson } from './texts.js';

/** The place in the new version: the rule that decided, or the expression that failed. */
function placeIn({ new: next, old }: DifferenceGroup): PolicyPlace | undefined {
  return next.failed ?? next.rules[0] ?? old.rules[0];
}

function messageOf({ kind, path, count, old, new: next, example }: DifferenceGroup): string {
  const input = example.input === undefined ? 'none' : shortJson(example.input, 300);
  const time = example.timestamp === undefined ? '' : `\ntime: ${example.timestamp}`;
  const answers = `${answerText(example.old)} → ${answerText(example.new)}`;
  return `${kindTexts[kind]}: ${countedNoun(count, 'decision')} of ${path}: ${answers}\nold: ${causeText(old)}\nnew: ${causeText(next)}\ninput: ${input}${time}`;
}

const levels: Readonly<Record<DifferenceKind, 'error' | 'warning'>> = {
  allowed: 'error',
  denied: 'error',
  error: 'error',
  undefined: 'error',
  value: 'warning',
  recovered: 'warning',
  slower: 'warning',
};

/** Commands of GitHub's workflows. */
export function changeGithub(report: ChangeReport): string {
  const commands = allGroups(report).map((group) => {
    const place = placeIn(group);
    const at = place === undefined ? '' : `file=${workflowProperty(place.file)},line=${place.row},col=${place.col},`;
    return `::${levels[group.kind]} ${at}title=${workflowProperty(kindTexts[group.kind])}::${workflowMessage(messageOf(group))}\n`;
  });
  return `${commands.join('')}${headlines(report)
    .map((line) => `${line}\n`)
    .join('')}`;
}

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** A log of SARIF 2.1.0: a rule for each kind of difference. */
export function changeSarif(report: ChangeReport, version: string): unknown {
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'writ diff',
            version,
            rules: differenceKinds.map((kind) => ({ id: kind, shortDescription: { text: kindTexts[kind] } })),
          },
        },
        results: allGroups(report).map((group) => {
          const place = placeIn(group);
          return {
            ruleId: group.kind,
            ruleIndex: differenceKinds.indexOf(group.kind),
            level: levels[group.kind],
            message: { text: messageOf(group) },
            ...(place && {
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: place.file },
                    region: { startLine: place.row, startColumn: place.col },
                  },
                },
              ],
            }),
          };
        }),
      },
    ],
  };
}
