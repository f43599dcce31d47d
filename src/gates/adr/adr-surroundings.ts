import { posix } from 'node:path';
import type { ProfileChoice } from '../../adr/check-adr.ts';
import { parseAdr } from '../../adr/document/parse-adr.ts';
import { detectProfile } from '../../adr/structure/detect-profile.ts';
import type { ProfileName } from '../../adr/structure/profiles.ts';
import type { GateContext } from '../gate/gate-context.ts';
import type { RulesSource } from './adr-rules.ts';

const LIMIT = 10 * 1024 * 1024;

/**
 * The form of the ADRs that lay in the folder before the phase began, else HELIX's own. Were it read from the new ADR alone, leaving
 * out its header would be a way to be asked for less.
 */
export async function profileBeside(path: string, { base }: Pick<GateContext, 'base'>): Promise<ProfileChoice> {
  const beside = base.files.filter(
    (file) => posix.dirname(file.path) === posix.dirname(path) && /\.md$/i.test(file.path),
  );
  const counts = new Map<ProfileName, number>();
  for (const file of beside.slice(0, 200)) {
    const text = file.path === path ? undefined : (await base.read(file.path, LIMIT))?.toString('utf8');
    const profile = text === undefined ? undefined : detectProfile(parseAdr(text, file.path));
    if (profile !== undefined) counts.set(profile, (counts.get(profile) ?? 0) + 1);
  }
  const [most = 'helix'] = [...counts].sort(([, a], [, b]) => b - a).map(([profile]) => profile);
  return most === 'unknown' ? 'helix' : most;
}

/** The project's rules as they were before the phase began, else as its owner has them. */
export function rulesSource({
  settingsFile,
  shippedConfig,
}: Pick<GateContext, 'settingsFile' | 'shippedConfig'>): RulesSource {
  return { projectFile: settingsFile, shippedConfig };
}
