import { HelixError } from '../../domain/helix-error.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import type { Call } from './command.ts';

/** What a call asks for with --format or --json, else text; throws for a format that is not known, and where the two differ. */
export function formatOf<F>(call: Call, formats: Readonly<Record<string, F>>): F {
  const name = call.text('format') ?? (call.flag('json') ? 'json' : 'text');
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format === undefined) {
    throw new HelixError('usage', `there is no format ${JSON.stringify(name)}`, {
      hint: suggestion(name, Object.keys(formats)),
    });
  }
  if (!call.flag('json') || name === 'json') return format;
  throw new HelixError('usage', `--json and --format ${name} contradict each other`, { hint: 'Leave one out.' });
}
