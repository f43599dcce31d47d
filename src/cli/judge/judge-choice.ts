import { present } from '../../domain/present.ts';
import type { JudgeChoice } from '../../engine/approve/choose-judge.ts';
import type { Call } from '../call/command.ts';

/** What a call says about who judges. */
export function judgeChoice(call: Call): JudgeChoice {
  return {
    ...present({ agent: call.text('agent') }),
    ...(call.flag('trust') && { trust: 'from now on' }),
    trustHint: 'If you know this is harmless, say so with --trust.',
  };
}
