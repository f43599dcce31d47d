import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { samplePhase, UNCONFINED } from '../../../../test/sample-start.ts';
import { put, scratch } from '../../../../test/scratch.ts';
import { ConsultantAnswer } from '../../../domain/facts/consultation.ts';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import type { CreatorTask, JudgeTask } from '../../../ports/agent.ts';
import { codexWords } from '../../../text/agent-words/codex-words.ts';
import { codexArguments } from './codex-arguments.ts';
import { codexEnvironment } from './codex-environment.ts';
import { asAsked, strictSchema } from './codex-schema.ts';
import { CodexStream } from './codex-stream.ts';

const ASKED = {
  ...{ brief: 'Do it.', dir: '/work', marker: 'm', wallMs: 1000, sandbox: UNCONFINED.sandbox },
  ...{ signal: new AbortController().signal, onLine: () => undefined },
};
const CREATOR: CreatorTask = {
  ...ASKED,
  ...UNCONFINED,
  role: 'creator',
  phase: samplePhase('one'),
  attempt: 1,
  turn: 0,
};
const JUDGE: JudgeTask = {
  ...{ ...ASKED, role: 'reviewer', instructions: 'You judge.', readable: [], answer: z.any(), turn: 0 },
  subject: { type: 'adr', checks: [], inputs: [] },
};

function settingsOf(args: readonly string[]): string[] {
  return args.filter((_, at) => args[at - 1] === '-c');
}

function flagOf(args: readonly string[], flag: string): string | undefined {
  return args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
}

describe('the arguments of codex', () => {
  it('let a creator write in its directory, and a judge nowhere', () => {
    expect(flagOf(codexArguments(CREATOR), '--sandbox')).toBe('workspace-write');
    expect(flagOf(codexArguments(JUDGE), '--sandbox')).toBe('read-only');
  });

  it('take the walls away only from a creator, and only where none are wanted', () => {
    const sandbox = { level: 'none', why: 'asked for' } as const;
    expect(flagOf(codexArguments({ ...CREATOR, sandbox }), '--sandbox')).toBe('danger-full-access');
    expect(flagOf(codexArguments({ ...JUDGE, sandbox }), '--sandbox')).toBe('read-only');
  });

  it('keep out what lies in the repository, whatever its directory is called', () => {
    const args = codexArguments({ ...CREATOR, dir: '/a "b"\\c' });
    expect(args).toContain('--ignore-user-config');
    expect(args).toContain('--ignore-rules');
    expect(settingsOf(args)).toContain('projects={"/a \\"b\\"\\\\c"={trust_level="untrusted"}}');
    expect(settingsOf(args)).toContain('project_doc_max_bytes=0');
  });

  it('give a creator the servers of its settings, whose variables its shell does not see, and a judge none', () => {
    const mcp = [
      { name: 'one', command: ['program', '-x "y"'], env: ['ONE'] },
      { name: 'two', url: 'https://example.org/mcp' },
    ];
    const settings = settingsOf(codexArguments(CREATOR, { mcp }));
    const approved = 'default_tools_approval_mode="approve"';
    expect(settings).toContain(
      `mcp_servers.one={command="program", args=["-x \\"y\\""], env_vars=["ONE"], ${approved}}`,
    );
    expect(settings).toContain(`mcp_servers.two={url="https://example.org/mcp", ${approved}}`);
    expect(settings.find((each) => each.startsWith('shell_environment_policy'))).toContain('"ONE"');
    expect(codexArguments(JUDGE, { mcp }).join(' ')).not.toContain('mcp_servers');
  });

  it('let it search the web where it is to find things out, and nobody else', () => {
    const research = { ...CREATOR, phase: { ...CREATOR.phase, type: 'research' } } as const;
    expect(settingsOf(codexArguments(research))).toContain('web_search="live"');
    for (const task of [CREATOR, JUDGE]) expect(settingsOf(codexArguments(task))).toContain('web_search="disabled"');
  });

  it('name the model, the schema and the address only where there are any', () => {
    const args = codexArguments({ ...JUDGE, model: 'm-1' }, { schema: '/s.json', baseUrl: 'http://here/v1' });
    expect(flagOf(args, '--model')).toBe('m-1');
    expect(flagOf(args, '--output-schema')).toBe('/s.json');
    expect(settingsOf(args)).toContain('openai_base_url="http://here/v1"');
    expect(codexArguments(JUDGE).join(' ')).not.toMatch(/--model|--output-schema|openai_base_url/);
  });
});

describe('the environment of codex', () => {
  const settings: AgentSettings = { driver: 'codex', env: ['MINE'] };

  it('holds what is allowed and what its settings name, and nothing else', () => {
    const source = {
      PATH: '/bin',
      HOME: '/none',
      HTTPS_PROXY: 'p',
      MINE: '1',
      AWS_SECRET: 's',
      CODEX_SQLITE_HOME: 'x',
    };
    expect(codexEnvironment(source, settings, JUDGE)).toEqual({
      ...{ PATH: '/bin', HOME: '/none', HTTPS_PROXY: 'p', MINE: '1' },
    });
  });

  it('always says where its login lies', () => {
    const home = put(scratch(), { '.codex/auth.json': '{}' });
    expect(codexEnvironment({ HOME: home }, settings, JUDGE)).toEqual({ HOME: home, CODEX_HOME: `${home}/.codex` });
  });

  it('makes a key of the general variable only for somebody who has not logged in', () => {
    const home = put(scratch(), { '.codex/auth.json': '{}' });
    expect(codexEnvironment({ HOME: home, OPENAI_API_KEY: 'k' }, settings, JUDGE)).not.toHaveProperty('CODEX_API_KEY');
    expect(codexEnvironment({ HOME: '/none', OPENAI_API_KEY: 'k' }, settings, JUDGE)).toMatchObject({
      CODEX_API_KEY: 'k',
    });
  });
});

describe('the stream of codex', () => {
  const usage = { input_tokens: 1000, cached_input_tokens: 400, output_tokens: 100 };
  const models = {
    find: (id: string) => ({ id, ...(id === 'm' && { price: { input: 2, output: 10, cacheRead: 1 } }) }),
  };
  const subscribed = false;

  it('is charged by tokens, what was cached at its own price', () => {
    const stream = new CodexStream(models, { model: 'm', subscribed });
    stream.read({ type: 'turn.completed', usage });
    expect(stream.cost).toEqual({ usd: (600 * 2 + 400 * 1 + 100 * 10) / 1e6, basis: 'estimated', tokens: 1100 });
  });

  it('has an unknown cost without a price, without a model and without an end', () => {
    for (const model of ['other', undefined]) {
      const stream = new CodexStream(models, { model, subscribed });
      stream.read({ type: 'turn.completed', usage });
      expect(stream.cost).toEqual({ basis: 'unknown', tokens: 1100 });
    }
    expect(new CodexStream(models, { model: 'm', subscribed }).cost).toEqual({ basis: 'unknown' });
  });

  it('says that a subscription pays', () => {
    const stream = new CodexStream(models, { model: 'm', subscribed: true });
    stream.read({ type: 'turn.completed', usage });
    expect(stream.cost).toMatchObject({ equivalent: true });
  });

  it('lets pass whatever it does not know', () => {
    const stream = new CodexStream(models, { subscribed });
    for (const event of [null, 7, {}, { type: 'item.completed' }, { type: 'turn.failed' }, { type: 'new' }]) {
      stream.read(event);
    }
    expect(stream).toMatchObject({ completed: false, failed: 'the turn failed', message: undefined });
  });

  it('counts refused logins in a row', () => {
    const stream = new CodexStream(models, { subscribed });
    const refused = { type: 'error', message: 'Reconnecting... 1/5 (unexpected status 401 Unauthorized: no)' };
    stream.read(refused);
    stream.read({ type: 'item.completed', item: { type: 'agent_message', text: 'x' } });
    stream.read(refused);
    expect(stream.refusedLogins).toBe(1);
    stream.read({ type: 'error', message: 'Too many items: 401 given' });
    expect(stream.refusedLogins).toBe(0);
  });
});

describe('the schema of an answer', () => {
  const answer = z.strictObject({
    approved: z.boolean(),
    note: z.string().optional(),
    findings: z.array(
      z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('a'), line: z.int().optional() })]),
    ),
  });

  it('asks for every property and lets those that may be missing be null', () => {
    const schema = strictSchema(answer);
    expect(schema).toMatchObject({ required: ['approved', 'note', 'findings'], additionalProperties: false });
    expect(JSON.stringify(schema)).toContain('{"anyOf":[{"type":"string"},{"type":"null"}]}');
    expect(JSON.stringify(schema)).toContain('"required":["kind","line"]');
    expect(JSON.stringify(schema)).not.toContain('oneOf');
  });

  it('is met by an answer whose nulls are taken out', () => {
    const said = { approved: true, note: null, findings: [{ kind: 'a', line: null }] };
    expect(answer.parse(asAsked(said, answer))).toEqual({ approved: true, findings: [{ kind: 'a' }] });
  });

  it('has no maps, which its model does not take; what comes instead becomes one again', () => {
    expect(JSON.stringify(strictSchema(ConsultantAnswer))).not.toMatch(/propertyNames|"additionalProperties":\{/);
    const analysis = { failure_summary: 'f', root_cause: 'r', learning: null, attempts_analyzed: 3 };
    const nothing = { model_switch: null, plan_revert: null, additional_hints: ['h'], additional_skills: null };
    const rest = { question: null, expected_outcome: null, confidence: 0.5 };
    const option = { description: 'd', effort: 'low', consultant_recommendation: null, guidance: null, model: null };
    const said = (spec_updates: unknown) => ({
      ...{ analysis, decision: { action: 'retry_with_changes', ...nothing, spec_updates }, ...rest },
      options: [{ ...option, revert_to_task: null }],
    });
    const parsed = (spec_updates: unknown) => ConsultantAnswer.parse(asAsked(said(spec_updates), ConsultantAnswer));
    expect(parsed([{ key: 'a.b', values: ['c'] }])).toEqual({
      analysis: { failure_summary: 'f', root_cause: 'r', attempts_analyzed: 3 },
      decision: { action: 'retry_with_changes', additional_hints: ['h'], spec_updates: { 'a.b': ['c'] } },
      options: [{ description: 'd', effort: 'low' }],
      confidence: 0.5,
    });
    expect(parsed([]).decision.spec_updates).toEqual({});
    expect(parsed(null).decision).not.toHaveProperty('spec_updates');
  });
});

describe('the words of codex', () => {
  it.each([
    [{ type: 'item.completed', item: { type: 'agent_message', text: ' Done. ' } }, 'Done.'],
    [{ type: 'item.started', item: { type: 'command_execution', command: 'ls\n-l' } }, '→ shell ls -l'],
    [{ type: 'item.completed', item: { type: 'file_change', changes: [{ path: '/w/a' }, {}] } }, '→ edit /w/a, '],
    [{ type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 2 } }, 'done, 5 tokens read and 2 written'],
    [{ type: 'error', message: 'Reconnecting... 1/5' }, 'Reconnecting... 1/5'],
    [{ type: 'turn.started' }, undefined],
    [{ type: 'item.completed', item: null }, undefined],
  ])('%j', (event, words) => {
    expect(codexWords(event)?.trimEnd()).toBe(words?.trimEnd());
  });
});
