import { hasError } from '../../domain/finding.ts';
import type { Catalogue } from '../../domain/plan/models.ts';
import { channelsOf } from '../../domain/plan/notify-settings.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import { actionOf, type LoadedEscalation } from '../read/load-escalation.ts';
import type { LoadedSettings } from '../read/load-settings.ts';

type Own = NonNullable<LoadedEscalation['own']>;
type Levels = NonNullable<NonNullable<Own['value']['escalation']>['levels']>;

/** What the names in config/escalation.yaml can stand for. */
type Known = {
  readonly helix: LoadedSettings;
  readonly agents: Readonly<Record<string, unknown>>;
  /** Absent when the names there are cannot be read. */
  readonly models?: () => Promise<Catalogue>;
};

/** Says what is wrong with the project's config/escalation.yaml beyond the shape of it. */
export async function checkEscalation(own: Own, known: Known): Promise<void> {
  const levels = own.value.escalation?.levels ?? {};
  checkTwins(levels, own);
  for (const level of ['stufe_1', 'stufe-1'] as const) await checkConsultant(level, levels, { own, ...known });
  for (const level of ['stufe_2', 'stufe-2'] as const) checkHuman(level, levels, { own, ...known });
  await checkPatterns(own);
}

/** A level that is written twice would be read once. */
function checkTwins(levels: Levels, { findings }: Own): void {
  for (const level of ['stufe_1', 'stufe_2'] as const) {
    const twin = level === 'stufe_1' ? 'stufe-1' : 'stufe-2';
    if (levels[level] === undefined || levels[twin] === undefined) continue;
    const message = `"${twin}" is the same level as "${level}"`;
    findings.errorAtKey(['escalation', 'levels', twin], { check: 'duplicate-key', message, hint: 'keep one of them' });
  }
}

type Context = Known & { readonly own: Own };

async function checkConsultant(level: 'stufe_1' | 'stufe-1', levels: Levels, context: Context): Promise<void> {
  const { findings } = context.own;
  for (const [index, action] of (levels[level]?.actions ?? []).entries()) {
    const at = ['escalation', 'levels', level, 'actions', index];
    const { models } = action;
    const switches = actionOf(action) === 'model_switch';
    if (switches && (models === undefined || models.length === 0)) {
      const message = 'without "models" there is none it could switch to';
      findings.warning(at, { check: 'no-effect', message, hint: 'name them: models: [opus, sonnet]' });
    }
    if (!switches && models !== undefined) {
      const message = `"models" has no effect in an action of type "${action.type}"`;
      findings.warningAtKey([...at, 'models'], { check: 'no-effect', message, hint: 'name them under model_switch' });
    } else await checkNames([...at, 'models'], models ?? [], context);
  }
}

/** Whoever has a price is known; another name may be one that only the agent knows. */
async function checkNames(
  at: readonly PropertyKey[],
  names: readonly string[],
  { own, agents, models }: Context,
): Promise<void> {
  const foreign = [...names.entries()].filter(([, name]) => !Object.hasOwn(agents, name));
  if (foreign.length === 0 || models === undefined) return;
  const catalogue = await models();
  for (const [index, name] of foreign) {
    if (catalogue.names.includes(name) || catalogue.find(name).provider !== undefined) continue;
    const message = `no model or agent is known as "${oneLine(name, 60)}"`;
    const hint = suggestion(name, [...Object.keys(agents), ...catalogue.names]);
    own.findings.warning([...at, index], { check: 'unknown-model', message, hint });
  }
}

const NO_CHANNELS = 'name one in helix.yaml: notify: [{ name: team, webhook: https://… }]';

function checkHuman(level: 'stufe_2' | 'stufe-2', levels: Levels, { own, helix }: Context): void {
  const { findings } = own;
  const human = levels[level];
  if (human === undefined) return;
  const { on_timeout = 'wait', wait_timeout_hours: hours } = human;
  const at = ['escalation', 'levels', level];
  if (on_timeout !== 'wait' && hours === undefined) {
    const message = `"on_timeout: ${on_timeout}" has no effect without "wait_timeout_hours"`;
    findings.warning([...at, 'on_timeout'], { check: 'no-effect', message, hint: 'say after how many hours' });
  }
  if (on_timeout === 'wait' && hours !== undefined) {
    const message = '"wait_timeout_hours" has no effect while "on_timeout" is wait';
    findings.warning([...at, 'wait_timeout_hours'], {
      check: 'no-effect',
      message,
      hint: 'say what is done then: on_timeout: retry, or abort',
    });
  }
  // Channels that are written wrongly would be missing here, too.
  if (hasError(helix.findings.sorted)) return;
  const known = channelsOf(helix.settings.notify ?? []).map(({ name }) => name);
  for (const [index, { channels = [] }] of (human.actions ?? []).entries()) {
    for (const [place, name] of channels.entries()) {
      if (known.includes(name)) continue;
      const message = `helix.yaml has no channel "${oneLine(name, 60)}" under notify`;
      const hint = known.length > 0 ? suggestion(name, known) : NO_CHANNELS;
      findings.error([...at, 'actions', index, 'channels', place], { check: 'unknown-channel', message, hint });
    }
  }
}

/** Most projects have no patterns of their own, so RE2 is loaded only for those that do. */
async function checkPatterns({ value, findings }: Own): Promise<void> {
  const { error_patterns: patterns = [] } = value;
  if (patterns.length === 0) return;
  const { errorPatternTrouble } = await import('./error-pattern-trouble.ts');
  for (const [index, { pattern, level, action }] of patterns.entries()) {
    const at = ['error_patterns', index];
    const trouble = errorPatternTrouble(pattern);
    if (trouble !== undefined) findings.error([...at, 'pattern'], { check: 'pattern', ...trouble });
    if (level === undefined && action !== 'abort') {
      const hint = 'one of: stufe_1, stufe_2, retry; or write action: abort';
      findings.error([...at, 'level'], { check: 'missing-key', message: '"level" is missing', hint });
    }
    if (level === 'retry' && action === 'escalate') {
      const message = '"action: escalate" has no effect at the level "retry"';
      findings.warning([...at, 'action'], { check: 'no-effect', message, hint: 'remove it, or name another level' });
    }
  }
}
