// `npm run bench`: every measured claim of docs/performance.md, as ratios taken in one run, each told as soon as it is known. Exits 1 when one does not hold.
import { adrClaims } from './adr.ts';
import { agentClaims } from './agent.ts';
import { approvalClaims } from './approval.ts';
import { doClaims } from './do.ts';
import { foldClaim } from './fold.ts';
import { inboxClaims } from './inbox.ts';
import { loopClaims } from './loop.ts';
import type { Claim } from './measure.ts';
import { meetingClaims } from './meeting.ts';
import { preparationClaims } from './preparation.ts';
import { sandboxClaims } from './sandbox.ts';
import { startUpClaims } from './start-up.ts';
import { stopClaims } from './stop.ts';
import { syntaxClaim } from './syntax.ts';
import { setUpClaim, worktreeClaim } from './worktree.ts';

const MEASURED: readonly (() => Promise<readonly Claim[]>)[] = [
  startUpClaims,
  async () => [await foldClaim()],
  loopClaims,
  inboxClaims,
  stopClaims,
  async () => [await worktreeClaim(), await setUpClaim()],
  async () => [await syntaxClaim()],
  sandboxClaims,
  adrClaims,
  approvalClaims,
  agentClaims,
  preparationClaims,
  doClaims,
  meetingClaims,
];

for (const measure of MEASURED) {
  for (const { name, limit, ratio, detail } of await measure()) {
    const holds = ratio <= limit;
    console.log(
      `${holds ? 'holds ' : 'BROKEN'}  ${ratio.toFixed(2).padStart(6)}  (at most ${limit})  ${name}: ${detail}`,
    );
    if (!holds) process.exitCode = 1;
  }
}
