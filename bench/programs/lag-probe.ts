// Loaded into a process with --import: tells in the file $LAG_FILE how late its event loop was, at the worst of 99 %, in ms.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
lag.enable();
process.on('exit', () => writeFileSync(process.env.LAG_FILE ?? '', String(lag.percentile(99) / 1e6 - RESOLUTION_MS)));
