import { present } from '../../domain/present.ts';
import type { Watchers } from '../../engine/step/engine-ports.ts';
import { renderEvent } from '../../report/run/event-text.ts';
import type { Terminal } from '../call/terminal.ts';
import { LiveProgress } from './live-progress.ts';
import { setUpText } from './set-up-text.ts';

/** What is shown of a run while it goes on. */
export type Progress = Watchers & {
  /** Says something that is not a fact of the run. */
  say(text: string): void;
  /** Shows a line as it is. */
  print(line: string): void;
  /** Keeps a prompt below all that is shown, until it is released. */
  hold(prompt: string): void;
  release(): void;
  close(): void;
};

/** Shows a run while it goes on: a line per fact and, on a terminal, what is under way below them. */
export function openProgress(terminal: Terminal, quiet: boolean): Progress {
  if (!quiet && terminal.interactive) return new LiveProgress(terminal);
  const { onEvent, onTrial, onSetUp, ...rest } = plainProgress(terminal);
  return quiet ? rest : { ...rest, ...present({ onEvent, onTrial, onSetUp }) };
}

function plainProgress(terminal: Terminal): Progress {
  let prompt = '';
  let toldKept = false;
  const print = (line: string) => terminal.err(`${prompt === '' ? '' : '\n'}${line}\n${prompt}`);
  return {
    onEvent: (event, state) => print(renderEvent(event, state.plan)),
    onTrial: (phase, gate) => print(terminal.paint('dim', `trying ${gate} of ${phase} on the untouched tree`)),
    onSetUp: (step) => {
      if (step.ended === undefined || (step.kept && toldKept)) return;
      toldKept ||= step.kept;
      print(terminal.paint('dim', `set-up  ${setUpText(step)}`));
    },
    say: (text) => print(terminal.paint('warn', text)),
    print,
    hold: (text) => {
      prompt = text;
      terminal.err(text);
    },
    release: () => {
      if (prompt !== '') terminal.err('\n');
      prompt = '';
    },
    close: () => undefined,
  };
}
