import type { JudgeProgress } from '../../engine/approve/ask.ts';
import { renderLine } from '../../report/words/paint.ts';
import { renderDuration } from '../../report/words/time.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Terminal } from '../call/terminal.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const REDRAW_MS = 100;

/** Shows on a terminal what a judge reads, for how long it works and what it has spent; elsewhere nothing. */
export function openJudgeProgress(terminal: Terminal, about: string): JudgeProgress {
  if (!terminal.interactive) return { onText: () => undefined, onSpent: () => undefined, close: () => undefined };
  const began = performance.now();
  let [text, spent, frame] = ['', '', 0];
  const draw = () => {
    frame += 1;
    const width = Math.max(10, terminal.columns() - 1);
    const line = renderLine(
      [
        ['info', FRAMES[frame % FRAMES.length] ?? ''],
        ` ${about}  `,
        ['dim', `${renderDuration(performance.now() - began)}  ${spent}`],
        ['dim', text],
      ],
      { width, paint: terminal.paint },
    );
    terminal.err(`\r\u001b[0K${line}`);
  };
  draw();
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    onText: (said) => {
      text = oneLine(said, 200);
    },
    onSpent: (usd) => {
      spent = `≈ ${usd.toFixed(2)} USD  `;
    },
    close: () => {
      clearInterval(timer);
      terminal.err('\r\u001b[0K');
    },
  };
}
