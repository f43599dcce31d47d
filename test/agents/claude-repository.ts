import type { HelixEnd } from '../helix-process.ts';
import { Repository, type RepositoryRun } from '../repository.ts';

/** What runs of HELIX with Claude Code need, beside what any repository needs. */
export type ClaudeParts = Omit<NonNullable<ConstructorParameters<typeof Repository>[0]>, 'agent'> & {
  /** The argv of `claude`. */
  readonly command: readonly string[];
  /** Where its model is. */
  readonly url: string;
  /** Its login; by default an API key. */
  readonly login?: Readonly<Record<string, string>>;
};

/** A user's repository in which Claude Code does the work. */
export type ClaudeRepository = {
  readonly repository: Repository;
  /** Starts a run and tells what came of it. */
  run(args?: readonly string[]): Promise<RepositoryRun>;
  /** Goes on with the newest run. */
  resume(args?: readonly string[]): Promise<RepositoryRun>;
  /** Answers a question of the newest run, which goes on with it. */
  decide(args: readonly string[]): Promise<RepositoryRun>;
  /** Has something judged outside of any run. */
  approve(args: readonly string[]): Promise<HelixEnd>;
  /** Calls any command with the same login and model. */
  call(args: readonly string[]): Promise<HelixEnd>;
};

const API_KEY = { ANTHROPIC_API_KEY: 'a-dummy-key' };

/** Makes a repository whose only agent is Claude Code, with a login and a model of its own. */
export function claudeRepository({ command, url, login = API_KEY, settings, ...parts }: ClaudeParts): ClaudeRepository {
  const agents = { default: { driver: 'claude-code', command } };
  const repository = new Repository({ ...parts, settings: { agents, ...settings } });
  const env = { ...noOtherLogin(), ...login, ANTHROPIC_BASE_URL: url };
  return {
    repository,
    run: (args) => repository.run(args, { env }),
    resume: (args) => repository.resume(args, { env }),
    decide: async (args) => {
      const end = await repository.helix(['decide', ...args], { env });
      return { ...end, said: `${end.stdout}${end.stderr}`, ...(await repository.journaled()) };
    },
    call: (args) => repository.helix(args, { env }),
    approve: (args) => repository.helix(['approve', '--trust', ...args], { env }),
  };
}

/** Nothing of the login of whoever runs the tests may reach the program. */
function noOtherLogin(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => /^(ANTHROPIC_|CLAUDE|AWS_|GOOGLE_)/.test(name));
  return Object.fromEntries(names.map((name) => [name, '']));
}
