// An orchestrator that kills itself with SIGKILL at its k-th append, right before or right after it is durable.
import type { Journal } from '../../src/ports/journal.ts';
import { Stage } from '../run-scenario.ts';

const [dir = '', at = '1', side = 'before'] = process.argv.slice(2);
let count = 0;

async function dying<T>(append: () => Promise<T>): Promise<T> {
  count += 1;
  if (count === Number(at) && side === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await append();
  if (count === Number(at)) process.kill(process.pid, 'SIGKILL');
  return result;
}

const stage = Stage.at(dir);
const world = stage.world(
  (journal): Journal => ({
    create: (run, first) => dying(() => journal.create(run, first)),
    append: (run, place, events) => dying(() => journal.append(run, place, events)),
    own: (run, owner) => journal.own(run, owner),
    owner: (run) => journal.owner(run),
    read: (run, after) => journal.read(run, after),
    headSeq: (run) => journal.headSeq(run),
    list: () => journal.list(),
    waiting: () => journal.waiting(),
    questions: (limit) => journal.questions(limit),
    remove: (run) => journal.remove(run),
    close: () => journal.close(),
  }),
);
await stage.play(world);
world.close();
