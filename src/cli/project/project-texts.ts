/** The languages a new project can be written in. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The line by which editors find the schema of a generated file. */
export function schemaLine(name: 'phases' | 'helix' | 'approvals' | 'escalation'): string {
  const up = name === 'phases' || name === 'helix' ? '' : '../';
  return `# yaml-language-server: $schema=${up}.helix/schemas/${name}.schema.json\n`;
}

/** What stands where the gate on tests would, as long as nobody knows how to run them. */
export const NO_TESTS: Readonly<Record<Language, string>> = {
  en: ` - type: "tests_pass"\n   command: [program, argument]    # what runs the tests of this project`,
  de: ` - type: "tests_pass"\n   command: [Programm, Argument]    # was die Tests dieses Projekts ausführt`,
};

/** The helix.yaml of a new project, every key explained. */
export function helixYaml(language: Language): string {
  return `${schemaLine('helix')}${HELIX_YAML[language]}`;
}

const HELIX_YAML: Readonly<Record<Language, string>> = {
  en: `# The settings of this project. All of them are optional; lines like "# key: value" show what could be written.
# Every key with its type: helix schema helix

# The language agents write in.
language: en

# Who does the work: \`default\`, unless a role, a phase or --agent names another one.
# driver: claude-code, codex, acp, command, scripted or replay; env: names of variables the agent may see.
agents:
  default:
    driver: claude-code
    # command: [claude]
    # model: sonnet
    # env: [ANTHROPIC_API_KEY]
    # mcp: []
  # trial:
  #   driver: scripted
  #   script: scripted.yaml

# Which agent takes which role.
# roles:
#   creator: default
#   reviewer: default
#   verifier: default
#   consultant: default

# What a run may spend before it parks.
budget:
  usd: 10
  minutes: 120
  # attempts: 50

# How tightly agents and commands are locked in: auto, strict, basic or none.
# sandbox: auto

# What can be reached from inside: hosts for agents, and whether gate commands may use the network.
# network:
#   creator: [docs.example.org]
#   gate: false

# Whom to tell when a human is asked or a run ends.
# notify: []

# Lets the scripted agent's work count; it stays marked as simulated.
# allow_simulated: true

# Another journal than .helix/helix.db.
# database: postgres://localhost/helix
`,
  de: `# Die Einstellungen dieses Projekts. Alle sind freiwillig; Zeilen wie "# key: value" zeigen, was möglich ist.
# Jeder Schlüssel mit seinem Typ: helix schema helix

# Die Sprache, in der Agenten schreiben.
language: de

# Wer die Arbeit macht: \`default\`, solange keine Rolle, keine Phase und kein --agent einen anderen nennt.
# driver: claude-code, codex, acp, command, scripted oder replay; env: Namen der Variablen, die der Agent sehen darf.
agents:
  default:
    driver: claude-code
    # command: [claude]
    # model: sonnet
    # env: [ANTHROPIC_API_KEY]
    # mcp: []
  # trial:
  #   driver: scripted
  #   script: scripted.yaml

# Welcher Agent welche Rolle übernimmt.
# roles:
#   creator: default
#   reviewer: default
#   verifier: default
#   consultant: default

# Was ein Lauf ausgeben darf, bevor er pausiert.
budget:
  usd: 10
  minutes: 120
  # attempts: 50

# Wie eng Agenten und Befehle eingesperrt werden: auto, strict, basic oder none.
# sandbox: auto

# Was von innen erreichbar ist: Rechner für Agenten, und ob Befehle der Gates ins Netz dürfen.
# network:
#   creator: [docs.example.org]
#   gate: false

# Wer erfährt, dass ein Mensch gefragt wird oder ein Lauf endet.
# notify: []

# Lässt die Arbeit des geskripteten Agenten zählen; sie bleibt als simuliert gekennzeichnet.
# allow_simulated: true

# Ein anderes Journal als .helix/helix.db.
# database: postgres://localhost/helix
`,
};
