import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { CreatorTask } from '../../../ports/agent.ts';
import { gitStoresOf } from '../../programs/walls/git-stores.ts';
import { foreignPaths } from '../../programs/walls/system-directories.ts';
import { findToolchains } from '../../programs/walls/toolchains.ts';

/**
 * The settings that wall the program's own shell in: it writes to its directory and reaches the named domains and itself;
 * beside the system and temporary files it sees toolchains and the repository's objects, nothing else.
 */
export function shellWalls({ protect, writable, network, dir }: CreatorTask): object {
  const home = realpathSync(homedir());
  const work = [...new Set([dir, ...writable].map((path) => realpathSync(path)))];
  const isRoot = process.getuid?.() === 0;
  return {
    enabled: true,
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: true,
    allowUnsandboxedCommands: false,
    // Root behind walls may not mount a process table of its own; the one of the walls around has only this agent in it.
    ...(isRoot && { enableWeakerNestedSandbox: true }),
    network: { allowedDomains: [...network], allowLocalBinding: true },
    filesystem: {
      denyRead: [...new Set([...foreignPaths({ isRoot }), home, ...protect])],
      allowRead: [...work, ...findToolchains(process.env, home), ...gitStoresOf(dir)],
      denyWrite: [],
    },
  };
}
