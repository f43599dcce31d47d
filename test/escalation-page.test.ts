import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { EscalationFile } from '../src/domain/plan/escalation-file.ts';
import { NotifySettings } from '../src/domain/plan/notify-settings.ts';
import { CONTROL } from './on-terminal.ts';
import { scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/escalation.md'), 'utf8');

function blocks(language: string): string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, body = '']) => body);
}

/** Without what differs from run to run and from screen to screen: ids, times, widths, and where lines are folded. */
function alike(text: string): string {
  return text
    .replace(/\d{8}-[0-9a-f]{8}/g, '<run>')
    .replace(/\d+(?:\.\d+)?(?:m?s\b|\s+minutes)/g, '<time>')
    .replace(/[\s│]+/g, '');
}

/** All that was printed in a recording (asciicast v2). */
function played(): string {
  const [, ...lines] = readFileSync(join(ROOT, 'docs/decide.cast'), 'utf8').trimEnd().split('\n');
  const pieces = lines.map((line) => JSON.parse(line) as [time: number, kind: string, text: string]);
  return pieces
    .map(([, , text]) => text)
    .join('')
    .replace(CONTROL, '')
    .replaceAll('\r', '');
}

it('its commands climb the ladder and come down again, and what they show is what was recorded', () => {
  const dir = scratch({});
  const env = {
    PATH: `${join(ROOT, 'bin')}:${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    HELIX: ROOT,
    HOME: dir,
    XDG_STATE_HOME: join(dir, 'state'),
    XDG_CACHE_HOME: join(dir, 'cache'),
  };
  const [commands = ''] = blocks('sh');
  const how = { cwd: dir, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', commands], how);
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  const shown = /^02-export is stuck.*?(?=^Answer with one of)/ms.exec(stdout)?.[0] ?? 'no question was shown';
  const recorded = played();
  expect(alike(recorded)).toContain(alike(shown.replace(/ -C \S+/g, '')));
  expect(recorded).toMatch(/run +passed/);
  const [session = ''] = blocks('text').filter((text) => text.startsWith('$ helix decide'));
  for (const line of session.split('\n').filter((each) => each.trim() !== ''))
    expect(recorded).toContain(line.trimEnd());
});

it('its settings are read as they stand', () => {
  const [notify = '', escalation = ''] = blocks('yaml');
  for (const each of (parse(notify) as { notify: unknown[] }).notify) {
    expect(NotifySettings.safeParse(each).success, JSON.stringify(each)).toBe(true);
  }
  expect(EscalationFile.safeParse(parse(escalation)).success).toBe(true);
});
