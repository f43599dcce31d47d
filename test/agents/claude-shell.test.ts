import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWalled } from '../../src/adapters/programs/walls/walled.fixture.ts';
import { put, scratch } from '../scratch.ts';
import { claudeRepository } from './claude-repository.ts';
import { say, use } from './loopback/answer.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

/** Tells what there is to see, and whether tools work. */
const LOOK = `{
  cat ~/.ssh/id_x /etc/shadow
  for dir in /var/lib /var/log /srv /media; do ls -A $dir; done
  cat readme.md && git log --oneline | grep -c first && node -p '"node works"'
  echo x > "$(mktemp)" && echo temporary files work
} > out.txt 2> /dev/null; true`;

let model: LoopbackModel;
beforeAll(async () => {
  model = await startLoopbackModel({ looks: [use('Bash', { command: LOOK }), say('Done.')] });
});
afterAll(() => model.close());

describeWalled('the shell of the real claude', () => {
  it('sees its tree, its history and toolchains, and neither homes nor what services keep', async (test) => {
    // Behind the walls of the program's own shell there is nothing in /dev/shm.
    const { repository, run } = claudeRepository({
      ...{ command: [requireAgent(test, 'claude-code')], url: model.url('looks'), root: scratch({}, tmpdir()) },
      settings: { sandbox: 'strict' },
    });
    put(repository.home, { '.ssh/id_x': 'key' });
    const { code, said } = await run();
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    expect(await repository.result('out.txt')).toBe('hello\n1\nnode works\ntemporary files work');
  });
});
