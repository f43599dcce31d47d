import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { DoctorDocument } from '../../src/domain/documents/documents.ts';
import { helix } from '../helix-process.ts';
import { scratch } from '../scratch.ts';
import { say } from './loopback/answer.ts';
import { unauthorised } from './loopback/failures.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

let model: LoopbackModel;

beforeAll(async () => {
  model = await startLoopbackModel({ works: [say('ready')], refuses: [unauthorised] });
});
afterAll(() => model.close());

/** What `doctor --live` says in an empty directory, with a login of its own for the real claude. */
async function live(test: TestContext, scenario: string, args: readonly string[] = []) {
  const cwd = scratch({ 'home/x': '' });
  const env = {
    PATH: `${dirname(requireAgent(test, 'claude-code'))}:${process.env.PATH}`,
    HOME: join(cwd, 'home'),
    ANTHROPIC_API_KEY: 'a-dummy-key',
    ANTHROPIC_BASE_URL: model.url(scenario),
    CLAUDE_CODE_OAUTH_TOKEN: '',
    ANTHROPIC_AUTH_TOKEN: '',
    CLAUDE_CONFIG_DIR: '',
  };
  return { ...(await helix(['doctor', '--live', ...args], { cwd, env })), cwd };
}

describe('one tiny call to the real claude', () => {
  it('shows who answered, how long it took and what it cost, and leaves nothing behind', async (test) => {
    const { code, stdout, cwd } = await live(test, 'works');
    expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
    expect(stdout).toMatch(/^✓ claude-code +claude-\S+, \d+\.\d+\.\d+, \d+\.\d s, 0\.\d+ USD$/m);
    expect(stdout).toContain('key in ANTHROPIC_API_KEY');
    expect(model.requests('works')).toHaveLength(1);
    expect(
      readdirSync(cwd)
        .filter((name) => !name.startsWith('.'))
        .sort(),
    ).toEqual(['home']);
  });

  it('that is not let in fails with what to do about it', async (test) => {
    const { code, stdout } = await live(test, 'refuses', ['--json']);
    expect(code).toBe(1);
    const { live: call } = DoctorDocument.parse(JSON.parse(stdout));
    expect(call).toMatchObject({ agent: 'claude-code', works: false, failure: 'auth' });
    expect(call?.message).toContain('Log in again');
  });
});
