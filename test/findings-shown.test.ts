import { expect, it } from 'vitest';
import { Repository } from './repository.ts';

it('status and logs show what was found, and status --findings all of it', async () => {
  const lines = 'for n in $(seq 60); do echo "line $n"; done; echo "ZEBRA-REASON: out.txt is too short"; exit 1';
  const quality_gate = { type: 'custom', command: lines, on_failure: 'abort', max_retries: 1 };
  const repository = new Repository({
    phases: [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate }],
  });
  const { run, code, stdout } = await repository.run();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /✖ work: custom\n {2}│ the command ended with exit code 1:\n[\s\S]* {2}│ ZEBRA-REASON: out.txt/,
  );
  expect(stdout).toContain(`See more: helix logs ${run} work`);
  const status = await repository.helix(['status']);
  expect(status.stdout).toContain('  │ ZEBRA-REASON: out.txt is too short\n');
  expect(status.stdout).not.toContain('line 9\n');
  const all = await repository.helix(['status', '--findings']);
  expect(all.stdout).toContain('  │ line 9\n');
  const logs = await repository.helix(['logs', run]);
  expect(logs.stdout).toMatch(/^ {4}error {2}the command ended with exit code 1: {2}custom\n(.*\n)* +ZEBRA-REASON/m);
  const elsewhere = await repository.helix(['logs', run], { env: { TZ: 'Asia/Kolkata' } });
  expect(elsewhere.stdout).toMatch(/^\d{4}-\d\d-\d\d [\d:]{8} UTC \((?:[\d-]{10} )?[\d:]{5} \+05:30\) {2}/m);
  const phase = await repository.helix(['logs', run, 'work']);
  expect(phase.stdout).toMatch(/── attempt-1\n[\s\S]*✖ custom {2}reject [\s\S]*ZEBRA-REASON/);
});
