import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { samplePhase } from '../../../../test/sample-start.ts';
import { scratch } from '../../../../test/scratch.ts';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import type { CreatorTask, JudgeTask } from '../../../ports/agent.ts';
import { foreignPaths } from '../../programs/walls/system-directories.ts';
import { claudeArguments } from './claude-arguments.ts';

const NEVER_ABORTED = new AbortController().signal;
const ASKED = { brief: 'b', dir: tmpdir(), marker: 'm', wallMs: 1, signal: NEVER_ABORTED, onLine: () => undefined };
const BASIC = { level: 'basic', why: '' } as const;
const STRICT = { level: 'strict', why: '' } as const;
const SETTINGS: AgentSettings = { driver: 'claude-code' };
const JUDGES = ['reviewer', 'verifier', 'consultant'] as const;

function creator(change: Partial<CreatorTask> = {}): CreatorTask {
  const phase = samplePhase('one');
  return {
    ...ASKED,
    role: 'creator',
    sandbox: BASIC,
    phase,
    attempt: 1,
    turn: 0,
    writable: [],
    protect: [],
    network: [],
    inputs: [],
    ...change,
  };
}

function judge(change: Partial<JudgeTask> = {}): JudgeTask {
  const answer = z.strictObject({ verdict: z.enum(['yes', 'no']) });
  const subject = { type: 'adr', checks: [], inputs: [] };
  const asked = { ...ASKED, role: 'reviewer', sandbox: BASIC, instructions: 'Judge.', readable: [], subject } as const;
  return { ...asked, turn: 0, answer, ...change };
}

/** What follows a flag, up to the next one. */
function valuesOf(args: readonly string[], flag: string): string[] {
  const from = args.slice(args.indexOf(flag) + 1);
  const next = from.findIndex((each) => each.startsWith('--'));
  return args.includes(flag) ? from.slice(0, next === -1 ? from.length : next) : [];
}

const ROLES = [
  ['a creator', claudeArguments(creator(), SETTINGS)],
  ['a walled creator', claudeArguments(creator({ sandbox: STRICT }), SETTINGS)],
  ...JUDGES.map((role) => [`a ${role}`, claudeArguments(judge({ role, readable: ['/tree'] }), SETTINGS)] as const),
] as const;

describe.each(ROLES)('the flags of %s', (_, args) => {
  it('keep it apart: no settings, hooks, servers, memory or skills but those named here', () => {
    expect(args).toEqual(
      expect.arrayContaining(['-p', '--restricted', '--strict-mcp-config', '--disable-slash-commands']),
    );
    expect(valuesOf(args, '--permission-mode')).toEqual(['dontAsk']);
    expect(valuesOf(args, '--permission-prompts')).toEqual(['none']);
  });

  it('never let it go on where an earlier one stopped', () => {
    const taken = ['--resume', '-r', '--continue', '-c', '--session-id', '--fork-session', '--from-pr', '--teleport'];
    expect(args.filter((arg) => taken.includes(arg.split('=')[0] ?? ''))).toEqual([]);
    expect(args).toContain('--no-session-persistence');
  });

  it('never open its walls', () => {
    expect(args.filter((arg) => /^--(dangerously|setting-sources|plugin)|bypassPermissions/.test(arg))).toEqual([]);
  });

  it('make it tell everything, as it happens', () => {
    expect(valuesOf(args, '--output-format')).toEqual(['stream-json']);
    expect(args).toEqual(expect.arrayContaining(['--verbose', '--include-partial-messages']));
  });
});

describe('a judge', () => {
  it.each(JUDGES)('that is a %s reads, and that is all', (role) => {
    const settings: AgentSettings = { ...SETTINGS, mcp: [{ name: 'docs', command: ['docs'] }] };
    const args = claudeArguments(judge({ role, readable: ['/tree', '/inputs'] }), settings);
    expect(valuesOf(args, '--tools')).toEqual(['Read,Grep,Glob']);
    expect(valuesOf(args, '--allowedTools')).toEqual(['Read', 'Grep', 'Glob']);
    expect(valuesOf(args, '--add-dir')).toEqual(['/tree', '/inputs']);
    expect(args).not.toContain('--mcp-config');
    expect(args).not.toContain('--settings');
  });

  it('is given the schema of its answer and what it is', () => {
    const args = claudeArguments(judge(), SETTINGS);
    expect(JSON.parse(valuesOf(args, '--json-schema')[0] ?? '')).toMatchObject({
      properties: { verdict: { enum: ['yes', 'no'] } },
      required: ['verdict'],
      additionalProperties: false,
    });
    expect(valuesOf(args, '--append-system-prompt')).toEqual(['Judge.']);
    expect(args).not.toContain('--add-dir');
  });
});

describe('a creator', () => {
  it('reads, edits and has a shell', () => {
    const args = claudeArguments(creator(), SETTINGS);
    expect(valuesOf(args, '--tools')).toEqual(['Read,Grep,Glob,Edit,Write,Bash']);
    expect(valuesOf(args, '--allowedTools')).toEqual(['Read', 'Grep', 'Glob', 'Edit(/**)', 'Bash']);
    expect(args).not.toContain('--json-schema');
  });

  it('has the tools its phase names, and never one that is not there for creators', () => {
    const phase = samplePhase('one', { config: { tools: ['Read', 'Write', 'WebFetch', 'Task'] } });
    expect(valuesOf(claudeArguments(creator({ phase }), SETTINGS), '--tools')).toEqual(['Read,Write']);
    const none = samplePhase('one', { config: { tools: [] } });
    expect(valuesOf(claudeArguments(creator({ phase: none }), SETTINGS), '--tools')).toEqual(['Read,Grep,Glob']);
    const small = samplePhase('one', { config: { tools: ['read'] } });
    expect(valuesOf(claudeArguments(creator({ phase: small }), SETTINGS), '--tools')).toEqual(['Read']);
  });

  it('has a shell with walls where there are some', () => {
    const task = creator({ sandbox: STRICT, protect: ['/store'], network: ['registry.example.org'] });
    const settings = JSON.parse(valuesOf(claudeArguments(task, SETTINGS), '--settings')[0] ?? '');
    expect(settings.sandbox).toMatchObject({
      enabled: true,
      failIfUnavailable: true,
      allowUnsandboxedCommands: false,
      network: { allowedDomains: ['registry.example.org'] },
      filesystem: {
        denyRead: expect.arrayContaining([...foreignPaths({ isRoot: false }), realpathSync(homedir()), '/store']),
      },
    });
    expect(claudeArguments(creator(), SETTINGS)).not.toContain('--settings');
  });

  it('may look around in the whole worktree its directory lies in', () => {
    const top = scratch({ 'app/x': '' });
    const task = creator({ sandbox: STRICT, dir: join(top, 'app'), writable: [top] });
    const settings = JSON.parse(valuesOf(claudeArguments(task, SETTINGS), '--settings')[0] ?? '');
    expect(settings.sandbox.filesystem.allowRead).toEqual(expect.arrayContaining([join(top, 'app'), top]));
  });

  it('has the servers its user listed; the values of their variables are not in the arguments', () => {
    const mcp: AgentSettings['mcp'] = [
      { name: 'docs', command: ['docs-server', '--quick'], env: ['DOCS_KEY'] },
      { name: 'far', url: 'https://mcp.example.org/' },
    ];
    const args = claudeArguments(creator(), { ...SETTINGS, mcp });
    expect(JSON.parse(valuesOf(args, '--mcp-config')[0] ?? '')).toEqual({
      mcpServers: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the program fills it in
        docs: { command: 'docs-server', args: ['--quick'], env: { DOCS_KEY: '${DOCS_KEY}' } },
        far: { type: 'http', url: 'https://mcp.example.org/' },
      },
    });
    expect(valuesOf(args, '--allowedTools')).toEqual(expect.arrayContaining(['mcp__docs', 'mcp__far']));
  });

  it('is told its model and its money; max_iterations is about questions and bounds no turns', () => {
    const phase = samplePhase('one', { config: { max_iterations: 7 } });
    const args = claudeArguments(creator({ phase, model: 'opus', spendUsd: 0.001 }), SETTINGS);
    expect([valuesOf(args, '--model'), valuesOf(args, '--max-turns')]).toEqual([['opus'], ['200']]);
    expect(valuesOf(args, '--max-budget-usd')).toEqual(['0.01']);
    const free = claudeArguments(creator(), SETTINGS);
    expect(free).not.toContain('--model');
    expect(free).not.toContain('--max-budget-usd');
  });

  it('searches the web where it is to find things out, and opens only pages its shell could reach', () => {
    const research = (change: Partial<CreatorTask>) =>
      claudeArguments(creator({ phase: samplePhase('one', { type: 'research' }), ...change }), SETTINGS);
    const args = research({ network: ['docs.example.org'] });
    expect(valuesOf(args, '--tools')[0]).toBe('Read,Grep,Glob,Edit,Write,Bash,WebSearch,WebFetch');
    expect(valuesOf(args, '--allowedTools')).toEqual(
      expect.arrayContaining(['WebSearch', 'WebFetch(domain:docs.example.org)']),
    );
    expect(valuesOf(args, '--allowedTools')).not.toContain('WebFetch');
    expect(valuesOf(research({ network: [] }), '--tools')[0]).toBe('Read,Grep,Glob,Edit,Write,Bash,WebSearch');
    const named = samplePhase('one', { config: { tools: ['web_search', 'Read'] } });
    expect(valuesOf(claudeArguments(creator({ phase: named }), SETTINGS), '--tools')[0]).toBe('Read,WebSearch');
    const none = samplePhase('one', { type: 'research', config: { tools: [] } });
    expect(valuesOf(claudeArguments(creator({ phase: none }), SETTINGS), '--tools')[0]).toBe('Read,Grep,Glob');
    expect(claudeArguments(creator(), SETTINGS).join(' ')).not.toContain('Web');
  });
});
