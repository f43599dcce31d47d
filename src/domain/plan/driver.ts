/** The programs and stand-ins that can do a phase's work. */
export const DRIVERS = ['claude-code', 'codex', 'acp', 'command', 'scripted', 'replay'] as const;
export type Driver = (typeof DRIVERS)[number];

/** Whoever does a phase's work, and the three kinds of judge. */
export type Role = 'creator' | 'reviewer' | 'verifier' | 'consultant';

/** What the agents of a driver can do; a plan that needs more is refused before anything starts. */
export type Capabilities = {
  readonly roles: readonly Role[];
  /** It can be told which model to use. */
  readonly model: boolean;
  /** It can search the web where HELIX lets it. */
  readonly web: boolean;
  /** It takes MCP servers. */
  readonly mcp: boolean;
  /** What it says of its costs. */
  readonly cost: 'reported' | 'tokens' | 'nothing' | 'simulated';
  /** How it does a review phase: as a judge, whose answer HELIX writes down, or as a worker that writes the review itself. */
  readonly reviews: 'answer' | 'file';
  /** What a judge of its may use. */
  readonly judgeTools: readonly string[];
};

const ALL_ROLES: readonly Role[] = ['creator', 'reviewer', 'verifier', 'consultant'];

/** What each driver can do. */
export const CAPABILITIES: Readonly<Record<Driver, Capabilities>> = {
  'claude-code': {
    roles: ALL_ROLES,
    model: true,
    web: true,
    mcp: true,
    cost: 'reported',
    reviews: 'answer',
    judgeTools: ['Read', 'Grep', 'Glob'],
  },
  codex: {
    roles: ALL_ROLES,
    model: true,
    web: true,
    mcp: true,
    cost: 'tokens',
    reviews: 'answer',
    judgeTools: ['shell (read-only, without network)'],
  },
  acp: { roles: ['creator'], model: false, web: false, mcp: true, cost: 'reported', reviews: 'file', judgeTools: [] },
  command: {
    roles: ['creator'],
    model: true,
    web: false,
    mcp: false,
    cost: 'nothing',
    reviews: 'file',
    judgeTools: [],
  },
  scripted: {
    roles: ALL_ROLES,
    model: true,
    web: false,
    mcp: true,
    cost: 'simulated',
    reviews: 'file',
    judgeTools: [],
  },
  replay: {
    roles: ['creator'],
    model: true,
    web: false,
    mcp: true,
    cost: 'simulated',
    reviews: 'file',
    judgeTools: [],
  },
};

/** What a judge of this driver may use; none is known of a driver that HELIX does not have. */
export function judgeTools(driver: string): readonly string[] {
  return (CAPABILITIES as Readonly<Record<string, Capabilities>>)[driver]?.judgeTools ?? [];
}
