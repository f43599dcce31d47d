// `npm run bench`: every measured claim of docs/performance.md, as ratios taken in one run. Exits 1 when one does not hold.
import { adrClaims } from './adr.ts';
import { agentClaims } from './agent.ts';
import { approvalClaims } from './approval.ts';
import { foldClaim } from './fold.ts';
import { inboxClaims } from './inbox.ts';
import { loopClaims } from './loop.ts';
import { sandboxClaims } from './sandbox.ts';
import { startUpClaims } from './start-up.ts';
import { syntaxClaim } from './syntax.ts';
import { setUpClaim, worktreeClaim } from './worktree.ts';

const claims = [
  ...(await startUpClaims()),
  await foldClaim(),
  ...(await loopClaims()),
  ...(await inboxClaims()),
  await worktreeClaim(),
  await setUpClaim(),
  await syntaxClaim(),
  ...(await sandboxClaims()),
  ...(await adrClaims()),
  ...(await approvalClaims()),
  ...(await agentClaims()),
];
for (const { name, limit, ratio, detail } of claims) {
  const held = ratio <= limit ? 'holds ' : 'BROKEN';
  console.log(`${held}  ${ratio.toFixed(2).padStart(6)}  (at most ${limit})  ${name}: ${detail}`);
}
process.exitCode = claims.every(({ limit, ratio }) => ratio <= limit) ? 0 : 1;
