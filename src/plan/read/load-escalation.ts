import type { EscalationFile } from '../../domain/plan/escalation-file.ts';
import {
  CONSULTANT_ACTIONS,
  type ErrorPattern,
  type EscalationSettings,
} from '../../domain/plan/escalation-settings.ts';
import type { HelixFile } from '../../domain/plan/helix-file.ts';
import { channelsOf, type NotifySettings } from '../../domain/plan/notify-settings.ts';
import { present } from '../../domain/present.ts';
import type { Project } from '../../ports/project.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
import { FileFindings } from '../../text/yaml/file-findings.ts';
import { type Reading, readYaml, type YamlFile } from '../../text/yaml/read-yaml.ts';
import { readMap } from '../../text/yaml/schema-findings.ts';
import { loadYaml } from './load-yaml.ts';

/** The file in the folder `config`, of a project and of HELIX itself, that says how the ladder is climbed. */
export const ESCALATION_FILE = 'escalation.yaml';
const PATH = `config/${ESCALATION_FILE}`;

const READING: Reading = {
  names: new Set(),
  free: new Set(),
  text: new Set(['name', 'description', 'type', 'models', 'channels', 'pattern', 'level', 'action', 'on_timeout']),
};

/** The project's own file, with what is wrong with it. */
type OwnFile = {
  readonly path: string;
  readonly text: string;
  readonly value: EscalationFile;
  readonly findings: FileFindings;
};

/** How the ladder is climbed, and what phases go by that do not say. */
export type LoadedEscalation = {
  readonly settings: EscalationSettings;
  readonly retries: number;
  readonly timeoutSeconds?: number;
  /** The project lists the models itself. */
  readonly ownModels: boolean;
  /** Whom alone to tell of questions; without it all that helix.yaml names. */
  readonly channels?: readonly string[];
  readonly own?: OwnFile;
};

const DEFAULT_RETRIES = 3;

/** Reads the project's config/escalation.yaml; what it does not say, the one HELIX ships does. */
export async function loadEscalation(project: Project, shipped: string): Promise<LoadedEscalation> {
  // A test has checked the one HELIX ships.
  const usual = readYaml(PATH, shipped, READING).yaml.value as EscalationFile;
  const file = await loadYaml(project, PATH, READING);
  if (file === undefined) return { ...settingsOf(usual, {}), ownModels: false };
  const own = { path: file.path, text: file.text, ...(await parsed(file)) };
  return { ...settingsOf(own.value, usual), own };
}

async function parsed({ yaml }: Pick<YamlFile, 'yaml'>): Promise<Pick<OwnFile, 'value' | 'findings'>> {
  const { EscalationFile, LEVEL_ACTIONS } = await import('../../domain/plan/escalation-file.ts');
  const findings = new FileFindings(yaml);
  const value = yaml.complete ? withKnownActions(yaml.value ?? {}, LEVEL_ACTIONS, findings) : {};
  return { value: readMap(EscalationFile, { value, path: [], findings }), findings };
}

/** An action nobody knows is told in words of its own, and left out of what is read on. */
function withKnownActions(
  value: unknown,
  actions: Readonly<Record<string, readonly string[]>>,
  findings: FileFindings,
): unknown {
  if (!isRecord(value) || !isRecord(value.escalation) || !isRecord(value.escalation.levels)) return value;
  const levels = Object.entries(value.escalation.levels).map(([level, entry]): [string, unknown] => {
    const name = level.replace('-', '_');
    const known = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (known === undefined || !isRecord(entry) || !Array.isArray(entry.actions)) return [level, entry];
    const kept = entry.actions.map((action, index) => {
      if (!isRecord(action) || typeof action.type !== 'string' || known.includes(action.type)) return action;
      const message = `${level} has no action "${oneLine(action.type, 60)}"`;
      const at = ['escalation', 'levels', level, 'actions', index, 'type'];
      findings.error(at, { check: 'unknown-action', message, hint: suggestion(action.type, known) });
      // A harmless one keeps its place, so that what stands behind it is found.
      return { type: known[1] };
    });
    return [level, { ...entry, actions: kept }];
  });
  return { ...value, escalation: { ...value.escalation, levels: Object.fromEntries(levels) } };
}

/** The levels of a file, whichever way their names are written. */
function levelsOf({ escalation }: EscalationFile) {
  const { levels = {} } = escalation ?? {};
  return { consultant: levels.stufe_1 ?? levels['stufe-1'] ?? {}, human: levels.stufe_2 ?? levels['stufe-2'] ?? {} };
}

function settingsOf(file: EscalationFile, usual: EscalationFile): LoadedEscalation {
  const [own, others] = [levelsOf(file), levelsOf(usual)];
  const actions = own.consultant.actions ?? others.consultant.actions;
  const retries = file.escalation?.max_retries_per_level;
  const attempts = own.consultant.max_attempts ?? others.consultant.max_attempts;
  const waitHours = own.human.wait_timeout_hours ?? others.human.wait_timeout_hours;
  const minutes = file.escalation?.attempt_timeout ?? usual.escalation?.attempt_timeout;
  const channels = (own.human.actions ?? []).flatMap((action) => action.channels ?? []);
  return {
    settings: {
      consultant: { ...consultantMay(actions), ...present({ attempts }) },
      human: {
        onTimeout: own.human.on_timeout ?? others.human.on_timeout ?? 'wait',
        ...present({ waitHours }),
      },
      errorPatterns: (file.error_patterns ?? usual.error_patterns ?? []).map(errorPattern),
    },
    ownModels: own.consultant.actions !== undefined,
    retries: retries ?? usual.escalation?.max_retries_per_level ?? DEFAULT_RETRIES,
    ...(minutes !== undefined && { timeoutSeconds: minutes * 60 }),
    ...(channels.length > 0 && { channels: [...new Set(channels)] }),
  };
}

type Consultant = EscalationSettings['consultant'];
type Written = ReturnType<typeof levelsOf>['consultant']['actions'];

/** Two of the actions go by other names as well. */
export function actionOf({ type }: NonNullable<Written>[number]): Consultant['actions'][number] {
  if (type === 'switch_model') return 'model_switch';
  return type === 'revert' ? 'plan_revert' : type;
}

function consultantMay(written: Written): Pick<Consultant, 'actions' | 'models'> {
  if (written === undefined) return { actions: [...CONSULTANT_ACTIONS], models: [] };
  const switches = written.filter((action) => actionOf(action) === 'model_switch');
  const models = switches.flatMap((action) => action.models ?? []);
  return { actions: [...new Set(written.map(actionOf))], models: [...new Set(models)] };
}

type FilePattern = NonNullable<EscalationFile['error_patterns']>[number];

const LEVELS: Readonly<Record<NonNullable<FilePattern['level']>, ErrorPattern['level']>> = {
  retry: 'retry',
  stufe_1: 'stufe-1',
  'stufe-1': 'stufe-1',
  stufe_2: 'stufe-2',
  'stufe-2': 'stufe-2',
};

/** Whoever aborts needs no level. */
function errorPattern({ pattern, level = 'stufe_2', action }: FilePattern): ErrorPattern {
  return { pattern, level: LEVELS[level], ...present({ action }) };
}

/** Who is told of questions: all that helix.yaml names, unless config/escalation.yaml lists some; they keep their names. */
export function toldBy({ notify = [] }: HelixFile, { channels }: LoadedEscalation): NotifySettings[] {
  if (channels === undefined) return notify;
  const told = channelsOf(notify).filter(({ name }) => channels.includes(name));
  return told.map(({ name, settings }) => ({ ...settings, name }));
}
