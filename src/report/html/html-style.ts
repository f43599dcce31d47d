/** The look of the report; the colours are checked for contrast by a test. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #faf8f4; --raised: #ffffff; --ink: #23211d; --soft: #635e55; --line: #e3ded4;
  --good: #2a6b47; --bad: #a5321f; --warn: #7d5109; --info: #2c5c88;
  --serif: ui-serif, "Iowan Old Style", "Palatino Linotype", Georgia, serif;
  --sans: ui-sans-serif, system-ui, "Segoe UI", "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17181a; --raised: #1f2124; --ink: #e8e4db; --soft: #a8a296; --line: #36383c;
    --good: #86cfa6; --bad: #f2988a; --warn: #e3b566; --info: #93bdea;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
main { max-width: 66rem; margin: 0 auto; padding: clamp(1.5rem, 5vw, 4.5rem) clamp(1rem, 4vw, 2.5rem); }
h1, h2 { font-family: var(--serif); font-weight: 500; letter-spacing: -0.01em; line-height: 1.15; margin: 0; }
h1 { font-size: clamp(2.1rem, 6vw, 3.4rem); }
h2 { font-size: 1.45rem; margin: 3.5rem 0 1rem; }
h3 { font: 500 0.95rem/1.4 var(--mono); margin: 0; }
h3 > .soft { display: block; font: 400 0.85rem/1.4 var(--sans); }
p { margin: 0.4rem 0; }
code, .hash { font: 0.86em/1.5 var(--mono); }
.kicker { color: var(--soft); font-size: 0.8rem; letter-spacing: 0.12em; text-transform: uppercase; margin-bottom: 0.8rem; }
.verdict { font: 500 1.35rem/1.4 var(--serif); margin: 0.9rem 0 0; }
.soft, .hint, figcaption, caption, dt { color: var(--soft); }
.passed, .pass { color: var(--good); } .failed, .reject, .error, .cancelled { color: var(--bad); }
.waiting, .parked, .interrupted, .revise, .warning, .override { color: var(--warn); } .running, .open, .info { color: var(--info); }
.pending, .skipped, .voided, .finished { color: var(--soft); }
.simulated { border: 1px solid var(--warn); border-radius: 6px; color: var(--warn); padding: 0.6rem 0.9rem; margin: 1.5rem 0 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1.5rem 2rem; margin: 2.2rem 0 0; padding: 1.4rem 0; border: solid var(--line); border-width: 1px 0; }
.figures dt { font-size: 0.8rem; } .figures dd { margin: 0.1rem 0 0; font: 1.3rem/1.3 var(--serif); font-variant-numeric: lining-nums; }
.axis { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; justify-content: space-between; font-size: 0.85rem; color: var(--soft); margin: 0 0 0.8rem; }
.key span { margin-left: 0.9rem; } .key i { display: inline-block; width: 0.7em; height: 0.7em; border-radius: 2px; background: currentColor; margin-right: 0.35em; }
.phases { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
.phases > li { border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 3rem; }
summary { cursor: pointer; padding: 0.7rem 0.3rem; }
.phases summary { display: grid; grid-template-columns: 1.2rem minmax(8rem, 15rem) minmax(6rem, 1fr) 6.5rem 4.5rem; gap: 0 1rem; align-items: center; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--raised); } summary:focus-visible { outline: 2px solid var(--info); outline-offset: 2px; }
.figure { text-align: right; font-size: 0.85rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.lane { position: relative; display: block; height: 0.75rem; border-radius: 3px; background: var(--line); overflow: hidden; }
.lane i { position: absolute; top: 0; bottom: 0; min-width: 3px; border-radius: 2px; background: currentColor; }
.lane i.interrupted { opacity: 0.6; }
.body { padding: 0 0 1.6rem 2.5rem; }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--info); }
table { border-collapse: collapse; width: 100%; min-width: 36rem; font-size: 0.92rem; overflow-wrap: break-word; }
caption { text-align: left; font-size: 0.85rem; padding: 0.4rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 1.2rem 0.5rem 0; border-top: 1px solid var(--line); }
th { font-weight: 500; } thead th { color: var(--soft); font-size: 0.8rem; font-weight: 400; border-top: 0; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.findings { list-style: none; margin: 0.2rem 0 0.6rem; padding: 0 0 0 0.9rem; border-left: 2px solid var(--line); }
.findings li { margin: 0.25rem 0; white-space: pre-wrap; } .findings b { font-weight: 500; }
.question { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 1.1rem 1.3rem; margin: 0 0 1rem; }
.question h3 { color: var(--soft); font-size: 0.85rem; } .question .ask { white-space: pre-line; overflow-wrap: anywhere; font: 1.15rem/1.45 var(--serif); margin: 0.3rem 0 0.7rem; }
.question ol { margin: 0; padding: 0; list-style: none; } .question li { margin: 0.25rem 0; } .question li b { margin-right: 0.6rem; }
pre { margin: 0.4rem 0; white-space: pre-wrap; font: 0.85rem/1.5 var(--mono); }
blockquote { margin: 0.6rem 0 0; padding-left: 0.9rem; border-left: 2px solid var(--info); white-space: pre-wrap; }
footer { margin-top: 4rem; padding-top: 1.2rem; border-top: 1px solid var(--line); font-size: 0.88rem; color: var(--soft); }
@media (max-width: 46rem) {
  .phases summary { grid-template-columns: 1.2rem 1fr auto; } .phases .lane { grid-column: 2 / -1; grid-row: 2; margin-top: 0.4rem; }
  .phases .time { display: none; } .body { padding-left: 0.3rem; }
}
@media print { body { background: none; } .phases > li { content-visibility: visible; break-inside: avoid; } }
`;
