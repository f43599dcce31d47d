import { join } from 'node:path';
import { withoutDirectory } from '../../text/without-directory.ts';

/** Whose words they are. */
type Speaker = { readonly project: string; readonly run: string; readonly phase: string };

/** What an agent said, with paths as seen from where it worked; that directory is gone, so that its path leads nowhere. */
export function seenFromWork(words: string, { project, run, phase }: Speaker): string {
  const place = `(?:file://)?/[^\\s"'\`]*/work/${run}/[^/\\s"'\`]+/[^/\\s"'\`]+`;
  return withoutDirectory(words, join(project, 'phases', phase))
    .replaceAll(new RegExp(`${place}/`, 'g'), '')
    .replaceAll(new RegExp(`${place}(?![\\w./-])`, 'g'), '.');
}
