import { describe, expect, it } from 'vitest';
import {
  accepted,
  answered,
  asked,
  ended,
  finished,
  HOSTILE,
  interrupted,
  missing,
  samplePhase,
  samplePlan,
  sampleRun,
  started,
  tried,
  verdict,
} from '../../../test/sample-run.ts';
import { workMeter } from '../../../test/work-meter.ts';
import type { NewEvent } from '../../domain/facts/run-event.ts';
import type { Finding } from '../../domain/finding.ts';
import { renderHtml } from './html.ts';
import { STYLE } from './html-style.ts';
import { timeScale } from './time-scale.ts';

const plan = samplePlan([
  samplePhase('01-first'),
  samplePhase('02-second', { dependsOn: ['01-first'], name: 'The second' }),
]);
const facts = [
  ...tried('01-first', 1, verdict('pass')),
  accepted('01-first'),
  started('02-second', 1),
  interrupted('02-second', 1, { message: 'no answer' }),
  ...tried('02-second', 1, verdict('reject', [missing()])),
  asked('02-second'),
];

describe('the HTML report', () => {
  it('tells the whole story: attempts, findings, interruptions, questions and answers, cost, journal head', () => {
    const { state, events } = sampleRun(plan, [
      ...facts,
      answered('A', 'retry', 'look at the path'),
      ended('cancelled', 'enough'),
    ]);
    const html = renderHtml(state, events);
    for (const text of [
      '<h1>hello</h1>',
      'Cancelled: enough',
      'output/x.md is missing',
      'interrupted: crash: no answer',
      'attempt 1: interrupted, attempt 1: reject',
      'How should HELIX go on?',
      'Answered by ann',
      'look at the path',
      '0.00 USD (simulated)',
      events.at(-1)?.hash,
    ]) {
      expect(html).toContain(text);
    }
  });

  it('shows what the gates of a passed phase warned of, and how often without opening it', () => {
    const warning: Finding = { severity: 'warning', check: 'flaky', message: 'flaky: a failed in one of two runs' };
    const run = sampleRun(plan, [...tried('01-first', 1, verdict('pass', [warning, warning])), accepted('01-first')]);
    const html = renderHtml(run.state, run.events);
    expect(html).toContain('<b class="warning">warning</b> flaky: a failed in one of two runs');
    expect(html).toContain('passed</span> · <span class="warning">2 warnings</span></span></h3>');
    const calm = sampleRun(plan, facts);
    expect(renderHtml(calm.state, calm.events)).not.toContain('class="warning"');
  });

  it('says that a simulated run is simulated, and only then', () => {
    const simulated = sampleRun(plan, facts);
    const real = sampleRun(plan, facts, { simulated: false });
    expect(renderHtml(simulated.state, simulated.events)).toContain('<strong>Simulated.</strong>');
    expect(renderHtml(real.state, real.events)).not.toContain('Simulated.');
  });

  it('shows what waits for a human open, with the command that answers', () => {
    const { state, events } = sampleRun(plan, facts);
    const html = renderHtml(state, events);
    expect(html).toContain('<code>helix decide r1-q1 A</code>');
    expect(html.match(/<details open>/g)).toHaveLength(1);
  });

  it('needs no network, no script and no other file', () => {
    const { state, events } = sampleRun(plan, facts);
    const html = renderHtml(state, events, { title: 'Another title' });
    expect(html).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html).not.toMatch(/<script|<link|<img|<iframe|\bsrc=|\bhref=|url\(|@import|https?:/i);
    expect(html).toContain('<h1>Another title</h1>');
  });

  it('is well formed: every element that opens is closed', () => {
    const { state, events } = sampleRun(plan, facts);
    const open: string[] = [];
    for (const [, slash, name = ''] of renderHtml(state, events).matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (['meta'].includes(name)) continue;
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  it('lets nobody write HTML, escape codes or hidden characters into it', () => {
    const finding: Finding = {
      severity: 'error',
      check: HOSTILE,
      message: HOSTILE,
      hint: HOSTILE,
      location: { file: HOSTILE },
    };
    const phase = samplePhase('01-first', { name: HOSTILE, dependsOn: [HOSTILE], description: HOSTILE });
    const hostile: NewEvent[] = [
      started('01-first', 1, { agent: HOSTILE, model: HOSTILE }),
      finished('01-first', 1, { model: HOSTILE }),
      {
        type: 'judging_interrupted',
        data: { phase: '01-first', attempt: 1, gate: HOSTILE, failure: 'crash', message: HOSTILE },
      },
      {
        type: 'attempt_judged',
        data: { phase: '01-first', attempt: 1, verdicts: [verdict('reject', [finding], HOSTILE)] },
      },
      started('01-first', 2),
      interrupted('01-first', 2, { message: HOSTILE }),
      asked('01-first', {
        question: HOSTILE,
        options: [
          { id: HOSTILE, description: HOSTILE, effort: HOSTILE, recommended: true, decision: { action: 'retry' } },
        ],
      }),
      answered('A', 'retry', HOSTILE),
      { type: 'phase_failed', data: { phase: '01-first', reason: HOSTILE } },
      ended('failed', HOSTILE),
    ];
    const { state, events } = sampleRun(samplePlan([phase], { project: { name: HOSTILE, type: HOSTILE } }), hostile, {
      source: { path: HOSTILE, sha256: 'f' },
    });
    const html = renderHtml(state, events);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('\x1b');
    expect(html).not.toContain('\u202e');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;\\u{202e}gnp');
  });

  it('of a thousand phases is drawn in well under a second', () => {
    const phases = Array.from({ length: 1000 }, (_, index) =>
      samplePhase(`phase-${index}`, { dependsOn: index > 0 ? [`phase-${index - 1}`] : [] }),
    );
    const story = phases.flatMap((phase) => [
      ...tried(phase.id, 1, verdict('reject', [missing(), missing('b.md')])),
      ...tried(phase.id, 2, verdict('pass')),
      accepted(phase.id, 2),
    ]);
    const { state, events } = sampleRun(samplePlan(phases), story);
    const work = workMeter();
    const html = renderHtml(state, events);
    expect(work()).toBeLessThan(200);
    expect(html.match(/<li><details>/g)).toHaveLength(1000);
    expect(html.length).toBeLessThan(4_000_000);
  });

  it('of a run that has only just begun is drawn too', () => {
    const { state, events } = sampleRun(plan);
    expect(renderHtml(state, events, { owned: true })).toContain('Nothing was tried yet.');
  });

  it('cuts an endless list of findings', () => {
    const findings = Array.from({ length: 60 }, (_, index) => missing(`file-${index}`));
    const { state, events } = sampleRun(plan, tried('01-first', 1, verdict('reject', findings)));
    expect(renderHtml(state, events)).toContain('and 10 more in the journal');
  });

  it.each(['light', 'dark'])('has enough contrast in the %s colours', (theme) => {
    const source = theme === 'dark' ? STYLE.slice(STYLE.indexOf('prefers-color-scheme')) : STYLE;
    const colour = (name: string) => source.match(new RegExp(`--${name}: (#[0-9a-f]{6})`))?.[1] ?? '';
    for (const text of ['ink', 'soft', 'good', 'bad', 'warn', 'info']) {
      for (const ground of ['paper', 'raised']) expect(contrast(colour(text), colour(ground))).toBeGreaterThan(4.5);
    }
  });
});

describe('the time line', () => {
  const scale = timeScale([
    { from: 0, to: 1000 },
    { from: 500, to: 1500 },
    { from: 10_000_000, to: 10_000_500 },
  ]);

  it('shortens a pause to a twentieth of the busy time', () => {
    expect(scale(0)).toBe(0);
    expect(scale(1500)).toBeCloseTo(1500 / 2100);
    expect(scale(10_000_000)).toBeCloseTo(1600 / 2100);
    expect(scale(10_000_500)).toBe(1);
  });

  it('never leaves its bounds', () => {
    expect(scale(-5)).toBe(0);
    expect(scale(99_000_000)).toBe(1);
    expect(timeScale([])(5)).toBe(0);
    expect(timeScale([{ from: 5, to: 5 }])(5)).toBe(0);
  });
});

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
