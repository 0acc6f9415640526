/** Completion in PowerShell. */
import { type CompletedCommand, type CompletionModel, spellings } from './model.js';

/** The script: `writ completion powershell | Out-String | Invoke-Expression`. */
export function powershellScript({ program, commands, topLevel, groups, descriptions }: CompletionModel): string {
  const table = (words: Readonly<Record<string, string>>) =>
    `@{ ${Object.entries(words)
      .map(([word, text]) => `${quoted(word)} = ${quoted(descriptions ? text : word)}`)
      .join('; ')} }`;
  const lists = [
    `    '' = ${table(topLevel)}`,
    ...Object.entries(groups).map(([group, members]) => `    ${quoted(group)} = ${table(members)}`),
    ...commands
      .filter(({ arguments: given }) => given !== undefined)
      .map((command) => `    ${quoted(command.name)} = ${argumentsOf(command)}`),
  ];
  return `# Completion of ${program}'s command lines in PowerShell:
# ${program} completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName '${program}' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${lists.join('\n')}
  }
  $flags = @{
${commands.map((command) => `    ${quoted(command.name)} = ${flagsOf(command, descriptions)}`).join('\n')}
  }
  $values = @{
${commands.flatMap(valuesOf).join('\n')}
  }
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $command = ''
  if ($before.Count -gt 0) { $command = $before[0] }
  if ($before.Count -gt 1 -and @(${Object.keys(groups).map(quoted).join(', ')}) -contains $command) { $command += ' ' + $before[1] }
  $previous = ''
  if ($before.Count -gt 0) { $previous = $before[-1] }
  # A hash table ignores case, and flags do not: -s and -S.
  $key = $values.Keys | Where-Object { $_ -ceq "$command $previous" }
  if ($key) {
    $found = @{}
    foreach ($value in $values[$key]) { $found[$value] = $value }
  } elseif ($wordToComplete.StartsWith('-')) {
    $found = $flags[$command]
  } else {
    $found = $words[$command]
  }
  if ($found) {
    $found.Keys | Where-Object { $_.StartsWith($wordToComplete) } | Sort-Object | ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $found[$_])
    }
  }
}
`;
}

function argumentsOf({ arguments: given = [] }: CompletedCommand): string {
  return `@{ ${given.map((word) => `${quoted(word)} = ${quoted(word)}`).join('; ')} }`;
}

/** Long names only: a hash table ignores case. */
function flagsOf({ flags }: CompletedCommand, descriptions: boolean): string {
  return `@{ ${flags.map(({ name, usage }) => `${quoted(`--${name}`)} = ${quoted(descriptions ? usage : `--${name}`)}`).join('; ')} }`;
}

function valuesOf({ name, flags }: CompletedCommand): string[] {
  return flags.flatMap((flag) => {
    const { value } = flag;
    if (typeof value === 'string') return [];
    return spellings(flag).map(
      (spelling) => `    ${quoted(`${name} ${spelling}`)} = @(${value.map(quoted).join(', ')})`,
    );
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
