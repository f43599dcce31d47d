import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { SetUpStep } from '../../ports/workspace.ts';
import { foldEvent, renderEvent } from '../../report/run/event-text.ts';
import { cut, wrap } from '../../report/words/columns.ts';
import { type Part, renderLine, type Style } from '../../report/words/paint.ts';
import { renderDuration } from '../../report/words/time.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Terminal } from '../call/terminal.ts';
import { setUpText } from './set-up-text.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const REDRAW_MS = 100;

/** After these nobody works on the phase; a judgement that was cut short is made again. */
const OVER: ReadonlySet<string> = new Set([
  'attempt_interrupted',
  'attempt_judged',
  'phase_accepted',
  'phase_failed',
  'phase_skipped',
  'human_asked',
]);

/** What is under way: of the whole run, or of one phase. */
type Activity = { doing: string; since: number; attempt?: number; text?: string; usd?: number };

const BEFORE = 'before';
const SET_UP = 'set-up';

/** A line per fact, and below them what is under way or what somebody is asked. */
export class LiveProgress {
  readonly #terminal: Terminal;
  readonly #active = new Map<string, Activity>();
  /** What is made ready before and beside the attempts. */
  readonly #ready = new Map<typeof BEFORE | typeof SET_UP, Activity>();
  #toldKept = false;
  readonly #timer: NodeJS.Timeout;
  #shown = 0;
  #prompt = '';
  #frame = 0;
  #closed = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#timer = setInterval(() => this.#prompt === '' && this.#draw(), REDRAW_MS);
    this.#timer.unref();
  }

  readonly onEvent = (event: RunEvent, state: RunState): void => {
    this.#ready.delete(BEFORE);
    this.#follow(event);
    const style = styleOf(event);
    const line = renderEvent(event, state.plan);
    const lines = foldEvent(line, this.#width());
    this.print(lines.map((each) => this.#line(style === undefined ? [each] : [[style, each]])).join('\n'));
  };

  readonly onText = (phase: string, text: string): void => {
    const activity = this.#active.get(phase);
    if (activity !== undefined) activity.text = text;
  };

  readonly onSpent = (phase: string, usd: number): void => {
    const activity = this.#active.get(phase);
    if (activity !== undefined) activity.usd = usd;
  };

  readonly onGate = (phase: string, gate: string): void => {
    const activity = this.#active.get(phase);
    if (activity !== undefined) activity.doing = `attempt ${activity.attempt}, gate ${gate}`;
  };

  readonly onPreparing = (phase: string, attempt: number): void => {
    this.#active.set(phase, { doing: `preparing attempt ${attempt}`, since: performance.now() });
    this.#draw();
  };

  readonly onTrial = (phase: string, gate: string): void => {
    const doing = `trying ${gate} of ${phase} on the untouched tree`;
    this.#ready.set(BEFORE, { doing, since: performance.now() });
    this.#draw();
  };

  readonly onSetUp = (step: SetUpStep): void => {
    if (step.ended === undefined) this.#ready.set(SET_UP, { doing: setUpText(step), since: performance.now() });
    else this.#ready.delete(SET_UP);
    this.#draw();
    // Every attempt and gate gets a copy; the first one says where it comes from.
    if (step.ended === undefined || (step.kept && this.#toldKept)) return;
    this.#toldKept ||= step.kept;
    this.print(this.#line([[step.ended.failed ? 'bad' : 'dim', `${SET_UP}  ${setUpText(step)}`]]));
  };

  readonly say = (text: string): void => {
    const lines = wrap(text, this.#width()).map((line) => this.#terminal.paint('warn', line));
    if (lines.length > 0) this.print(lines.join('\n'));
  };

  readonly print = (line: string): void => {
    this.#erase();
    this.#terminal.err(`${line}\n`);
    this.#draw();
  };

  readonly hold = (prompt: string): void => {
    this.#erase();
    this.#prompt = prompt;
    this.#draw();
  };

  readonly release = (): void => {
    this.#erase();
    this.#prompt = '';
    this.#draw();
  };

  readonly close = (): void => {
    if (this.#closed) return;
    clearInterval(this.#timer);
    this.#erase();
    this.#closed = true;
  };

  #follow(event: RunEvent): void {
    if (event.type === 'attempt_started') {
      const { phase, attempt } = event.data;
      this.#active.set(phase, { doing: `attempt ${attempt}`, attempt, since: performance.now() });
    } else if ('phase' in event.data && OVER.has(event.type)) this.#active.delete(event.data.phase);
  }

  #draw(): void {
    if (this.#closed) return;
    this.#erase();
    if (this.#prompt === '') this.#drawActivities();
    else this.#terminal.err(this.#prompt);
  }

  #drawActivities(): void {
    this.#frame += 1;
    const room = Math.max(1, (process.stderr.rows ?? 24) - 2);
    const lines = [...this.#ready, ...this.#active]
      .slice(0, room)
      .map(([phase, activity]) => this.#line(this.#activity(phase, activity)));
    if (lines.length === 0) return;
    this.#terminal.err(`${lines.join('\n')}\n`);
    this.#shown = lines.length;
  }

  #activity(whose: string, { doing, since, text, usd }: Activity): Part[] {
    const frame = FRAMES[this.#frame % FRAMES.length] ?? '';
    return [
      ['info', frame],
      ` ${cut(whose, Math.max(10, Math.floor(this.#width() / 3)))}  `,
      ['dim', renderDuration(performance.now() - since)],
      `  ${oneLine(doing, 200)}  `,
      ['dim', usd === undefined ? '' : `≈ ${usd.toFixed(2)} USD  `],
      ['dim', oneLine(text ?? '', 200)],
    ];
  }

  #line(parts: readonly Part[]): string {
    return renderLine(parts, { width: this.#width(), paint: this.#terminal.paint });
  }

  #width(): number {
    return Math.max(10, this.#terminal.columns() - 1);
  }

  #erase(): void {
    if (this.#shown > 0) this.#terminal.err(`\r\u001b[${this.#shown}A\u001b[0J`);
    if (this.#prompt !== '') this.#terminal.err('\r\u001b[0K');
    this.#shown = 0;
  }
}

function styleOf(event: RunEvent): Style | undefined {
  switch (event.type) {
    case 'phase_accepted':
      return 'good';
    case 'attempt_judged':
      return event.data.verdicts.every((verdict) => verdict.outcome === 'pass') ? undefined : 'bad';
    case 'phase_failed':
      return 'bad';
    case 'human_asked':
    case 'attempt_interrupted':
    case 'judging_interrupted':
    case 'run_parked':
    case 'run_interrupted':
      return 'warn';
    case 'run_finished':
      return event.data.status === 'passed' ? 'good' : 'bad';
    default:
      return event.type === 'attempt_started' || event.type === 'attempt_finished' ? 'dim' : undefined;
  }
}
