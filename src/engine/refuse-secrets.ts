import { HelixError } from '../domain/helix-error.ts';
import type { Redactor } from '../domain/secret.ts';
import { redactValue } from '../text/redact-value.ts';
import type { PreparedRun } from './prepare-run.ts';

/** Throws HelixError `config` for settings with a secret in them: they are journaled, where no secret may stand. */
export function refuseSecrets({ plan, agents }: Pick<PreparedRun, 'plan' | 'agents'>, secrets: Redactor): void {
  const settings = { plan, agents };
  const { value, json } = redactValue(settings, secrets.redact);
  if (value === settings) return;
  const [mark = 'a secret'] = /\[redacted [^\]]+\]/.exec(json) ?? [];
  const name = mark.replace('[redacted ', '').replace(']', '');
  throw new HelixError('config', `phases.yaml or helix.yaml has a secret in it: ${name}`, {
    hint: `Take it out, and give the agent a variable instead: agents: { default: { env: [NAME] } }. If it is no secret, start helix without the variable of that name.`,
  });
}
