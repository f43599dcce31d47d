/** An option as a shell completes it. */
export type CompletedOption = {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  readonly takesValue: boolean;
  readonly values: readonly string[];
  readonly files: boolean;
};

/** A command as a shell completes it: its options, and what may follow it; a group has commands of its own. */
export type Completed = {
  /** All words it is called by, after `helix`. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly words: readonly string[];
  /** What may stand right after it, before paths. */
  readonly first: readonly string[];
  readonly paths: 'none' | 'directories' | 'files';
  readonly commands: readonly Completed[];
  /** Commands that are called by a word after its own, beside what it takes itself. */
  readonly below: readonly Completed[];
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

/** What may stand after a command: the commands of a group, or words. */
function followers({ commands, words }: Completed): readonly string[] {
  return commands.length > 0 ? commands.map(({ name }) => name) : words;
}

function isGroup({ commands }: Completed): boolean {
  return commands.length > 0;
}

/** Groups and the commands in them, one after another. */
function flat(commands: readonly Completed[]): Completed[] {
  return commands.flatMap((command) => [command, ...flat(command.commands), ...flat(command.below)]);
}

function renderBash(commands: readonly Completed[]): string {
  const all = flat(commands);
  const values = all.flatMap(({ path, options }) =>
    options
      .filter((option) => option.takesValue)
      .map(
        (option) =>
          `    ${flags(option)
            .map((flag) => quoted(`${path} ${flag}`))
            .join('|')}) words=${quoted(option.values.join(' '))} ;;`,
      ),
  );
  const options = all.map(
    ({ path, options }) =>
      `      ${quoted(path)}) words=${quoted(options.map((option) => `--${option.name}`).join(' '))} ;;`,
  );
  const words = all
    .filter((command) => followers(command).length > 0)
    .map((command) => `      ${quoted(command.path)}) words=${quoted(followers(command).join(' '))} ;;`);
  const first = all
    .filter((command) => command.first.length > 0)
    .map((command) => `      ${quoted(`${command.path} 2`)}) words=${quoted(command.first.join(' '))} ;;`);
  const groups = commands.filter(isGroup).map(({ path }) => quoted(path));
  const below = commands.flatMap((command) => command.below.map(({ path }) => quoted(path)));
  return `# helix completion for bash; use it with: source <(helix completion bash)
_helix() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  case "$command" in ${groups.join('|')}) if [ "$COMP_CWORD" -gt 2 ]; then command="$command \${COMP_WORDS[2]}"; fi ;; esac
  case "$command \${COMP_WORDS[2]}" in ${below.join('|')}) if [ "$COMP_CWORD" -gt 2 ]; then command="$command \${COMP_WORDS[2]}"; fi ;; esac
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
      *) case "$command $COMP_CWORD" in
${first.join('\n')}
      esac ;;
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
  return `#compdef helix
_helix() {
  local -a commands
${zshCommands(commands)}
}
if [ "$funcstack[1]" = "_helix" ]; then
  _helix "$@"
else
  compdef _helix helix
fi
`;
}

function zshCommands(commands: readonly Completed[]): string {
  const cases = commands.map((command) => {
    if (isGroup(command)) return `    ${command.name})\n${zshCommands(command.commands)} ;;`;
    return `    ${command.name})${zshBelow(command)} _arguments -S ${zshSpecs(command)} ;;`;
  });
  return `  commands=(
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
  esac`;
}

function zshSpecs(command: Completed): string {
  return [...command.options.map(zshOption), ...zshRest(command)].join(' \\\n      ');
}

function zshBelow({ below }: Completed): string {
  return below
    .map((command) => {
      const call = `shift words; (( CURRENT-- )); _arguments -S ${zshSpecs(command)}; return`;
      return ` if (( CURRENT > 2 )) && [[ $words[2] == ${command.name} ]]; then ${call}; fi;`;
    })
    .join('');
}

function zshOption(option: CompletedOption): string {
  const names = flags(option);
  const help = `[${option.help.replaceAll(/[[\]\\]/g, '\\$&')}]`;
  const action = option.values.length > 0 ? `(${option.values.join(' ')})` : option.files ? '_files' : ' ';
  const value = option.takesValue ? `:${option.name}:${action}` : '';
  const [only] = names;
  return names.length === 1 ? quoted(`${only}${help}${value}`) : `{${names.join(',')}}${quoted(`${help}${value}`)}`;
}

function zshRest({ words, paths, first }: Completed): string[] {
  if (first.length > 0) return [quoted(`1:name:(${first.join(' ')})`), quoted('*:file:_files')];
  if (words.length > 0) return [quoted(`*:name:(${words.join(' ')})`)];
  if (paths === 'files') return [quoted('*:file:_files')];
  return paths === 'directories' ? [quoted('1:directory:_files -/')] : [];
}

function renderFish(commands: readonly Completed[]): string {
  return `# helix completion for fish
function __helix_calls
  set -l words (commandline -opc)
  set -l last (math 1 + (count $argv))
  test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
function __helix_awaits
  set -l words (commandline -opc)
  __helix_calls $argv; and test (count $words) -eq (math 1 + (count $argv))
end
complete -c helix -f
${commands.map(({ name, summary }) => `complete -c helix -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`).join('\n')}
${flat(commands).flatMap(fishLines).join('\n')}
`;
}

function fishLines(command: Completed): string[] {
  const { path, options, words, paths, commands, first } = command;
  const start = `complete -c helix -n '${isGroup(command) ? '__helix_awaits' : '__helix_calls'} ${path}'`;
  return [
    ...commands.map(({ name, summary }) => `${start} -a ${name} -d ${quoted(summary)}`),
    ...options.map((option) => `${start} -l ${option.name}${fishValue(option)} -d ${quoted(option.help)}`),
    ...(words.length > 0 ? [`${start} -a ${quoted(words.join(' '))}`] : []),
    ...(first.length > 0 ? [`complete -c helix -n '__helix_awaits ${path}' -a ${quoted(first.join(' '))}`] : []),
    ...(paths === 'directories' ? [`${start} -a '(__fish_complete_directories)'`] : []),
    ...(paths === 'files' ? [`${start} -F`] : []),
  ];
}

function fishValue({ short, takesValue, values, files }: CompletedOption): string {
  const letter = short === undefined ? '' : ` -s ${short}`;
  if (!takesValue) return letter;
  if (files) return `${letter} -r -F`;
  return values.length > 0 ? `${letter} -x -a ${quoted(values.join(' '))}` : `${letter} -x`;
}
