// `npm start`: runs the hello example on embedded defaults and says what to try next.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { status, error } = spawnSync('bin/helix', ['run', 'examples/hello', '--trust'], { cwd: root, stdio: 'inherit' });
if (error) throw error;
if (status === 0) {
  console.log(`
Try next:
  bin/helix status -C examples/hello            where that run stands
  bin/helix logs -C examples/hello              what happened, fact by fact
  bin/helix new demo --type documentation --request "Explain our API"
  bin/helix run demo --agent scripted           a project of your own, simulated
  bin/helix --help                              every command`);
}
process.exit(status ?? 1);
