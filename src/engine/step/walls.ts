import { HelixError } from '../../domain/helix-error.ts';
import { PACKAGE_REGISTRIES } from '../../domain/package-registries.ts';
import type { Isolation } from '../../domain/plan/helix-file.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { present } from '../../domain/present.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import type { CreatorTask } from '../../ports/agent.ts';
import type { Bounds, Workspace } from '../../ports/workspace.ts';

type Walled = {
  readonly sandbox: Sandbox;
  readonly isolation: Isolation;
  readonly workspace: Pick<Workspace, 'bounds'>;
};

/** The walls around what gates run: closed where the sandbox is strict, else none. */
export function gateWalls({ sandbox, isolation, workspace }: Walled): GateContext['walls'] {
  if (sandbox.level !== 'strict') return () => undefined;
  return (dir, network = isolation.network?.gate === true) => {
    const { writable, readable, layers } = workspace.bounds(dir);
    return {
      ...{ kind: 'closed', writable, readable, network: network ? 'open' : 'loopback' },
      ...present({ limits: sandbox.limits, layers }),
    };
  };
}

const UNBOUND: Bounds = { writable: [], readable: [], protect: [] };

/** What an agent that works in a directory must leave alone, and what its shell may reach. */
export function creatorWalls(
  { sandbox, isolation, workspace }: Walled,
  dir: string,
): Pick<CreatorTask, 'sandbox' | 'writable' | 'protect' | 'network' | 'layers'> {
  const { writable, protect, layers } = sandbox.level === 'strict' ? workspace.bounds(dir) : UNBOUND;
  return {
    sandbox,
    writable,
    protect,
    ...present({ layers }),
    network: isolation.network?.creator ?? PACKAGE_REGISTRIES,
  };
}

/** Refuses a plan that counts on walls which this sandbox does not have. */
export function requireEnforceable({ phases }: Plan, { network }: Isolation, { level, why }: Sandbox): void {
  if (level === 'strict') return;
  const cut = phases.filter(({ gates }) => gates.some(({ settings }) => settings.network === false));
  const wishes = [
    ...cut.map(({ id }) => `phase ${id}: a gate with network: false`),
    ...(network?.gate === false ? ['helix.yaml: network.gate: false'] : []),
  ];
  if (wishes.length === 0) return;
  const lines = wishes.map((wish) => `  ${wish}`).join('\n');
  throw new HelixError(
    'config',
    `only the strict sandbox can keep gates from the network, and this one is ${level} (${why}):\n${lines}`,
    {
      hint: 'Install bubblewrap, or leave these settings out and let the gates use the network.',
    },
  );
}
