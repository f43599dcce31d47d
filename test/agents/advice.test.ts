import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODEX } from '../../src/adapters/agents/codex/codex-program.ts';
import { Repository, type RepositoryRun } from '../repository.ts';

const ENV = { CODEX_API_KEY: 'a-dummy-key', CODEX_HOME: '' };
const WORKS = `echo done > out.txt; echo '{"type":"turn.completed"}'`;
const TRY_AGAIN = 'choose to try again (helix decide)';

/** What a stand-in for codex does that says what is asked of it. */
function codex(work: string): string {
  return [
    'if [ "$1" = --version ]; then echo "codex-cli 0.166.0"; exit; fi',
    `if [ "$2" = --help ]; then echo "${CODEX.flags.join(' ')}"; exit; fi`,
    work,
  ].join('\n');
}

function fails(message: string): string {
  return `echo '{"type":"turn.failed","error":{"message":"${message}"}}'; exit 1`;
}

function withCodex(work: string): Repository {
  const repository = new Repository({ agent: codex(work) });
  repository.write({ 'helix.yaml': settings({ driver: 'codex', command: [repository.agentPath] }) });
  return repository;
}

function settings(agent: object): string {
  return JSON.stringify({ sandbox: 'basic', agents: { default: agent } });
}

function adviceOf({ events }: RepositoryRun): string | undefined {
  return events.flatMap((event) => (event.type === 'attempt_interrupted' ? [event.data.message] : [])).at(-1);
}

async function tryAgain(repository: Repository): Promise<number | null> {
  const { run } = await repository.journaled();
  return (await repository.helix(['decide', `${run}-q1`, 'A'], { env: ENV })).code;
}

describe('the advice that comes with a failure helps', () => {
  it.each([
    'unexpected status 401 Unauthorized: no',
    'Quota exceeded. Check your plan and billing details.',
  ])('after %s', async (message) => {
    const repository = withCodex(fails(message));
    expect(adviceOf(await repository.run([], { env: ENV }))).toContain(`; then ${TRY_AGAIN}`);
    repository.agent(codex(WORKS));
    expect(await tryAgain(repository)).toBe(0);
  });

  it.each([
    ['The model does not exist', 'Name another model for the phase in the plan'],
    ['prompt is too long', 'Give the phase less to read or split it in the plan'],
  ])('after %s', async (message, advice) => {
    const repository = withCodex(`case "$*" in *"--model claude-opus-9"*) ${WORKS};; *) ${fails(message)};; esac`);
    expect(adviceOf(await repository.run([], { env: ENV }))).toContain(
      `${advice}, and go on with helix resume --replan`,
    );
    const phases = [{ id: 'work', type: 'development', output: ['out.txt'], config: { model: 'claude-opus-9' } }];
    repository.write({
      'phases.yaml': JSON.stringify({
        project: { name: 'mine', description: 'Make what the phases say' },
        workspace: 'repo',
        phases,
      }),
    });
    // What such an agent costs is reckoned by its model's price, so another model asks for another word.
    const end = await repository.resume(['--replan', '--trust'], { env: ENV });
    expect({ code: end.code, said: end.code === 0 ? '' : end.said }).toEqual({ code: 0, said: '' });
  });

  it('for a program that is not there, once it is', async () => {
    const repository = new Repository();
    rmSync(repository.agentPath);
    expect(adviceOf(await repository.run())).toContain(`install it or make it executable, then ${TRY_AGAIN}`);
    repository.agent('echo done > out.txt');
    expect(await tryAgain(repository)).toBe(0);
  });

  it('for a program that is not there, where another one is named', async () => {
    const repository = new Repository();
    rmSync(repository.agentPath);
    expect(adviceOf(await repository.run())).toContain(
      `mend this agent's command in helix.yaml, then take the change with helix resume --replan and ${TRY_AGAIN}`,
    );
    const command = ['/bin/sh', '-c', 'echo done > out.txt'];
    repository.write({ 'helix.yaml': settings({ driver: 'command', command }) });
    expect((await repository.resume(['--replan', '--trust'])).code).toBe(3);
    expect(await tryAgain(repository)).toBe(0);
  });
});
