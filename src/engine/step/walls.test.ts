import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { PACKAGE_REGISTRIES } from '../../domain/package-registries.ts';
import type { Isolation } from '../../domain/plan/helix-file.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { creatorWalls, gateWalls, requireEnforceable } from './walls.ts';

const STRICT: Sandbox = { level: 'strict', why: 'a test' };
const BASIC: Sandbox = { level: 'basic', why: 'bubblewrap is not installed' };
const workspace = { bounds: (dir: string) => ({ writable: [dir], readable: ['/objects'], protect: ['/mine'] }) };

describe('the walls around a gate', () => {
  it('are there only where the sandbox is strict', () => {
    expect(gateWalls({ sandbox: BASIC, isolation: {}, workspace })('/copy', true)).toBeUndefined();
    expect(gateWalls({ sandbox: STRICT, isolation: {}, workspace })('/copy', undefined)).toEqual({
      kind: 'closed',
      writable: ['/copy'],
      readable: ['/objects'],
      network: 'loopback',
    });
  });

  it.each<[who: string, asked: boolean | undefined, isolation: Isolation, network: string]>([
    ['the gate', true, {}, 'open'],
    ['helix.yaml', undefined, { network: { gate: true } }, 'open'],
    ['nobody', undefined, { network: { creator: ['example.org'] } }, 'loopback'],
    ['helix.yaml, but the gate does not want it', false, { network: { gate: true } }, 'loopback'],
  ])('have a way out where %s says so', (_, asked, isolation, network) => {
    expect(gateWalls({ sandbox: STRICT, isolation, workspace })('/copy', asked)).toMatchObject({ network });
  });
});

describe('an agent', () => {
  it('must leave alone what is protected where that can be enforced, and reaches package registries', () => {
    const walls = creatorWalls({ sandbox: STRICT, isolation: {}, workspace }, '/work');
    expect(walls).toEqual({ sandbox: STRICT, writable: ['/work'], protect: ['/mine'], network: PACKAGE_REGISTRIES });
    expect(creatorWalls({ sandbox: BASIC, isolation: {}, workspace }, '/work').protect).toEqual([]);
  });

  it('reaches what helix.yaml names instead', () => {
    const isolation = { network: { creator: ['example.org'] } };
    expect(creatorWalls({ sandbox: STRICT, isolation, workspace }, '/work').network).toEqual(['example.org']);
  });
});

describe('a plan whose gates must not use the network', () => {
  const gates = [{ type: 'custom', settings: { network: false }, onFailure: 'retry', maxRetries: 3 } as const];
  const plan = samplePlan([samplePhase('a', { gates })]);

  it('is refused where nobody could hold them back', () => {
    const refused = () => requireEnforceable(plan, { network: { gate: false } }, BASIC);
    expect(refused).toThrow(expect.objectContaining({ code: 'config' }));
    expect(refused).toThrow(
      /basic \(bubblewrap is not installed\):\n {2}phase a: a gate with network: false\n {2}helix.yaml: network.gate: false$/,
    );
  });

  it('is fine behind walls, and so is any other one without them', () => {
    requireEnforceable(plan, { network: { gate: false } }, STRICT);
    requireEnforceable(samplePlan([samplePhase('a')]), { network: { gate: true } }, BASIC);
  });
});
