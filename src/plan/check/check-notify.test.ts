import { expect, it } from 'vitest';
import { loadText, shown } from '../memory-project.fixture.ts';

const ONE = 'phases: [{ id: a, type: development }]\n';

async function findings(notify: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  return shown((await loadText(ONE, { 'helix.yaml': `notify: ${notify}\n`, ...files })).findings);
}

it.each([
  '[{ webhook: https://example.org/hook, secret_env: KEY }, { webhook: $HOOK }, { bell: true }]',
  '[{ command: [npm, exec] }, { name: mine, command: [./tell.sh] }]',
])('%s is right', async (notify) => {
  expect(await findings(notify, { 'tell.sh': '' })).toEqual([]);
});

it.each<[notify: string, finding: string]>([
  [
    '[{ name: x, bell: true }, { name: x, command: [npm] }]',
    'helix.yaml:1:35 error: two channels are called "x" (give one of them another name)',
  ],
  [
    '[{ name: bell-2, bell: true }, { bell: true }]',
    'helix.yaml:1:40 error: two channels are called "bell-2" (give one of them another name)',
  ],
  [
    '[{ webhook: "https://me:pw@example.org/" }]',
    'helix.yaml:1:21 error: the address has a login in it (keep the whole address in a variable: webhook: $NAME)',
  ],
  ['[{ command: [mial] }]', 'helix.yaml:1:22 warning: the program "mial" was not found (install it, or mend the name)'],
  [
    '[{ command: [./tell.sh] }]',
    'helix.yaml:1:22 warning: the program "./tell.sh" was not found (install it, or mend the name)',
  ],
  [
    '[{ github: { repo: a/b, issue: 1, users: [me] } }]',
    'helix.yaml:1:20 warning: the program "gh" was not found (install the GitHub command line)',
  ],
  [
    '[{ command: mail }]',
    'helix.yaml:1:21 error: "command" must be a list, not text (write it as a list: [npm, test])',
  ],
])('%s is found', async (notify, finding) => {
  expect(await findings(notify)).toEqual([finding]);
});

it.each([
  '[{ webhook: ftp://example.org }]',
  '[{ webhook: https://example.org, secret_env: "a b" }]',
  '[{ bell: false }]',
  '[{ github: { repo: a, issue: 1, users: [me] } }]',
  '[{ github: { repo: a/b, issue: 0, users: [me] } }]',
  '[{ github: { repo: a/b, issue: 1, users: [] } }]',
  '[{ github: { repo: a/b, issue: 1, users: ["me you"] } }]',
  '[{ webhook: https://example.org, bell: true }]',
  '[{ name: "A b", bell: true }]',
  '[{}]',
  '[1]',
  'yes',
])('%s is an error', async (notify) => {
  expect(await findings(notify)).toContainEqual(expect.stringContaining(' error: '));
});
