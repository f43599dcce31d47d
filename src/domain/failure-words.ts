import type { FailureClass } from './verdict.ts';

const WORDS: Readonly<Record<FailureClass, string>> = {
  timeout_wall: 'it ran out of time',
  timeout_idle: 'it said nothing for too long',
  cancelled: 'it was stopped on request',
  orchestrator: 'HELIX itself was stopped',
  crash: 'its program crashed',
  spawn: 'its program could not be started',
  protocol: 'it did not do what it was asked for',
  setup: 'a command could not run',
  inputs: 'an input is missing',
  workspace: 'its working directory could not be used',
  max_turns: 'it used up its turns',
  budget: 'the budget is spent',
  schema: 'it gave no usable answer',
  refusal: 'its model refused',
  context_too_long: 'there was too much to read for its model',
  output_limit: 'it printed too much',
  resource_limit: 'it reached its limit of memory, processes or files',
  network: 'the network failed',
  billing: 'the account cannot pay for it',
  auth: 'its login is missing or was refused',
  model_unavailable: 'its model is not available',
  rate_limit: 'the limit of its account is used up',
  overloaded: 'its service is overloaded',
  unknown: 'nobody knows why',
};

/** Why an attempt or a judgement was cut short, in plain words that go on after a colon. */
export function failureWords(failure: FailureClass): string {
  return WORDS[failure];
}
