import { HelixError } from '../../domain/helix-error.ts';
import type { Redactor } from '../../domain/plan/secret.ts';
import { redactValue } from '../../text/secrets/redact-value.ts';
import type { PreparedRun } from './prepare-run.ts';

type Journaled = Pick<PreparedRun, 'plan' | 'agents' | 'escalation' | 'settings'>;

/** Throws HelixError `config` for settings with a secret in them: they are journaled, where no secret may stand. */
export function refuseSecrets({ plan, agents, escalation, settings }: Journaled, secrets: Redactor): void {
  const variable = 'give the agent a variable instead: agents: { default: { env: [NAME] } }';
  refuse({ plan, agents }, secrets, { where: 'phases.yaml or helix.yaml', instead: variable });
  const { notify = [] } = settings;
  refuse({ notify }, secrets, { where: 'helix.yaml', instead: 'keep the address in a variable: webhook: $NAME' });
  refuse({ escalation }, secrets, { where: 'config/escalation.yaml', instead: 'write a pattern that does without' });
}

function refuse(part: object, secrets: Redactor, { where, instead }: { where: string; instead: string }): void {
  const { value, json } = redactValue(part, secrets.redact);
  if (value === part) return;
  const [mark = 'a secret'] = /\[redacted [^\]]+\]/.exec(json) ?? [];
  const name = mark.replace('[redacted ', '').replace(']', '');
  throw new HelixError('config', `${where} has a secret in it: ${name}`, {
    hint: `Take it out, and ${instead}. If it is no secret, start helix without the variable of that name.`,
  });
}
