// Packs the folder `logs` of a directory into a zip and says how much memory that took at most, in megabytes.

import { RunFiles } from '../../src/adapters/journal/run-files.ts';

const [dir = '.', path = 'all.zip'] = process.argv.slice(2);

async function* parts() {
  yield { folder: 'logs', as: 'logs' };
}

await new RunFiles(dir, { redact: (text) => text }).zip(path, parts());
process.stdout.write(String(Math.round(process.resourceUsage().maxRSS / 1024)));
