/** Completion in bash, from version 3.2 on. Bash shows no descriptions. */
import { type CompletedCommand, type CompletedFlag, type CompletionModel, spellings } from './model.js';

/** The script: `source <(writ completion bash)`. */
export function bashScript({ program, commands, topLevel, groups }: CompletionModel): string {
  const groupNames = Object.keys(groups).join(' | ');
  return `# Completion of ${program}'s command lines in bash: source <(${program} completion bash)
_${program}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= words= i
  COMPREPLY=()
  # Bash splits --flag=value into three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for (( i = 1; i < COMP_CWORD && i < 3; i++ )); do
    command=\${command:+$command }\${COMP_WORDS[i]}
    case $command in
${groupNames === '' ? '' : `      ${groupNames}) ;;\n`}      *) break ;;
    esac
  done
  case $command in
    '') words=${quoted(Object.keys(topLevel))} ;;
${Object.entries(groups)
  .map(([group, members]) => `    ${quoted([group])}) words=${quoted(Object.keys(members))} ;;\n`)
  .join('')}${commands.map(commandCase).join('')}  esac
  [[ -z $words ]] || COMPREPLY=( $(compgen -W "$words" -- "$cur") )
}
# Where no words are known, bash completes paths.
complete -o default -F _${program} ${program}
`;
}

function commandCase({ name, flags, arguments: given }: CompletedCommand): string {
  const valued = flags.filter((flag) => flag.value !== 'none');
  return `    ${quoted([name])})
      case $prev in
${valued.map(flagCase).join('')}        *)
          if [[ $cur == -* ]]; then
            words=${quoted(flags.flatMap(spellings))}
          ${given === undefined ? '' : `else\n            words=${quoted(given)}\n          `}fi
          ;;
      esac
      ;;
`;
}

function flagCase(flag: CompletedFlag): string {
  const words = typeof flag.value === 'string' ? '' : ` words=${quoted(flag.value)}`;
  return `        ${spellings(flag).join(' | ')})${words} ;;\n`;
}

function quoted(words: readonly string[]): string {
  return `'${words.join(' ')}'`;
}
