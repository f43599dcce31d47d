/** An option as a shell completes it. */
export type CompletedOption = {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  readonly takesValue: boolean;
  readonly values: readonly string[];
  readonly files: boolean;
};

/** A command as a shell completes it: its options, and what may follow it. */
export type Completed = {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly words: readonly string[];
  readonly directories: boolean;
};

/** The shells there is a completion for. */
export const RENDERERS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

/** Quotes for all three shells, which differ only inside quotes that contain quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function flags({ name, short }: CompletedOption): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

function renderBash(commands: readonly Completed[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter((option) => option.takesValue)
      .map(
        (option) =>
          `    ${flags(option)
            .map((flag) => quoted(`${name} ${flag}`))
            .join('|')}) words=${quoted(option.values.join(' '))} ;;`,
      ),
  );
  const options = commands.map(
    ({ name, options }) => `      ${name}) words=${quoted(options.map((option) => `--${option.name}`).join(' '))} ;;`,
  );
  const words = commands
    .filter((command) => command.words.length > 0)
    .map((command) => `      ${command.name}) words=${quoted(command.words.join(' '))} ;;`);
  return `# helix completion for bash; use it with: source <(helix completion bash)
_helix() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted([...commands.map(({ name }) => name), '--help', '--version'].join(' '))}
  else case "$command $prev" in
${values.join('\n')}
    *) case "$cur" in
    -*) case "$command" in
${options.join('\n')}
      esac ;;
    *) case "$command" in
${words.join('\n')}
      esac ;;
    esac ;;
  esac; fi
  # Where there are no words, the shell's own completion of file names takes over.
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
}
complete -o bashdefault -o default -F _helix helix
`;
}

function renderZsh(commands: readonly Completed[]): string {
  const cases = commands.map((command) => {
    const specs = [...command.options.map(zshOption), ...zshRest(command)];
    return `    ${command.name}) _arguments -S ${specs.join(' \\\n      ')} ;;`;
  });
  return `#compdef helix
_helix() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_helix" ]; then
  _helix "$@"
else
  compdef _helix helix
fi
`;
}

function zshOption(option: CompletedOption): string {
  const names = flags(option);
  const help = `[${option.help.replaceAll(/[[\]\\]/g, '\\$&')}]`;
  const action = option.values.length > 0 ? `(${option.values.join(' ')})` : option.files ? '_files' : ' ';
  const value = option.takesValue ? `:${option.name}:${action}` : '';
  const [only] = names;
  return names.length === 1 ? quoted(`${only}${help}${value}`) : `{${names.join(',')}}${quoted(`${help}${value}`)}`;
}

function zshRest({ words, directories }: Completed): string[] {
  if (words.length > 0) return [quoted(`1:name:(${words.join(' ')})`)];
  return directories ? [quoted('1:directory:_files -/')] : [];
}

function renderFish(commands: readonly Completed[]): string {
  return `# helix completion for fish
function __helix_calls
  set -l words (commandline -opc)
  test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"
end
complete -c helix -f
${commands.map(({ name, summary }) => `complete -c helix -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`).join('\n')}
${commands.flatMap(fishLines).join('\n')}
`;
}

function fishLines({ name, options, words, directories }: Completed): string[] {
  const start = `complete -c helix -n '__helix_calls ${name}'`;
  return [
    ...options.map((option) => `${start} -l ${option.name}${fishValue(option)} -d ${quoted(option.help)}`),
    ...(words.length > 0 ? [`${start} -a ${quoted(words.join(' '))}`] : []),
    ...(directories ? [`${start} -a '(__fish_complete_directories)'`] : []),
  ];
}

function fishValue({ short, takesValue, values, files }: CompletedOption): string {
  const letter = short === undefined ? '' : ` -s ${short}`;
  if (!takesValue) return letter;
  if (files) return `${letter} -r -F`;
  return values.length > 0 ? `${letter} -x -a ${quoted(values.join(' '))}` : `${letter} -x`;
}
