import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { CreatorTask } from '../../../ports.ts';
import { gitStoresOf } from '../../sandbox/git-stores.ts';
import { findToolchains } from '../../sandbox/toolchains.ts';

/**
 * The settings that wall the program's own shell in: it writes to its directory and reaches the named domains and itself;
 * of the user's files it sees toolchains and the repository's objects, nothing else.
 */
export function shellWalls({ protect, network, dir }: CreatorTask): object {
  const home = realpathSync(homedir());
  return {
    enabled: true,
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: true,
    allowUnsandboxedCommands: false,
    // Root behind walls may not mount a process table of its own; the one of the walls around has only this agent in it.
    ...(process.getuid?.() === 0 && { enableWeakerNestedSandbox: true }),
    network: { allowedDomains: [...network], allowLocalBinding: true },
    filesystem: {
      denyRead: [home, ...protect],
      allowRead: [realpathSync(dir), ...findToolchains(process.env, home), ...gitStoresOf(dir)],
      denyWrite: [],
    },
  };
}
