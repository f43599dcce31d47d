import { describe, expect, it } from 'vitest';
import { workMeter } from '../../test/work-meter.ts';
import { checkAdr } from './check-adr.ts';
import { checkAdrSet } from './check-adr-set.ts';

const TEXT = 'Two programs write the same file at once, and every week an order gets lost that way.';

function nygard(id: number, change: (text: string) => string = (text) => text): string {
  const sections = ['Context', 'Decision', 'Consequences'].map((title) => `## ${title}\n\n${title}: ${TEXT}\n`);
  return change(`# ${id}. Orders\n\n## Status\n\nAccepted\n\n${sections.join('\n')}`);
}

const without = (title: string) => (text: string) => text.replace(new RegExp(`## ${title}\\n\\n.*\\n\\n?`), '');
const errors = (text: string) =>
  checkAdr(text)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ check, message }) => `${check}: ${message}`);
const all = (text: string) => checkAdr(text).findings.map(({ severity, check }) => `${severity} ${check}`);

describe('an ADR outside the helix profile', () => {
  it('needs a context and a decision that say something', () => {
    expect(all(nygard(1))).toEqual([]);
    expect(errors(nygard(1, without('Decision')))).toEqual(['missing-section: the section "Decision" is missing']);
    expect(errors(nygard(1, (text) => text.replace(/Context: .*/, 'TBD')))).toEqual([
      'placeholder: the section "Context" has only placeholder text',
    ]);
    expect(errors(nygard(1, (text) => text.replace(/Decision: .*/, '')))).toEqual([
      'empty-section: the section "Decision" is empty',
    ]);
  });

  it('is only warned of everything else', () => {
    expect(all(nygard(1, without('Consequences')))).toEqual(['warning missing-section']);
    expect(all(nygard(1, without('Status')))).toEqual(['warning missing-status']);
    expect(all(nygard(1, (text) => text.replace(/Decision: .*/, 'Use it.')))).toEqual(['warning short-section']);
    expect(all(nygard(1, (text) => text.replace('# 1.', '# 2.')).replace('Accepted', 'Whatever'))).toEqual([
      'warning invalid-status',
    ]);
  });

  it('may say its context above the first section, and its decision in the titles of subsections or a link', () => {
    const intro = nygard(1, without('Context')).replace('# 1. Orders\n', `# 1. Orders\n\n${TEXT}\n`);
    expect(all(intro)).toEqual(['warning missing-section']);
    const status =
      'Status: Superseded by [ADR-012](0012-orders.md), previously accepted by all of the board of architects';
    expect(errors(intro.replace(TEXT, status))).toEqual(['missing-section: the section "Context" is missing']);
    for (const body of ['### Use it from now on\n', '[Use it](https://example.org/use-it)'])
      expect(errors(nygard(1, (text) => text.replace(/Decision: .*/, body))), body).toEqual([]);
    for (const body of ['> We use it from now on.', '```\nuse it from now on\n```'])
      expect(errors(nygard(1, (text) => text.replace(/Decision: .*/, body))), body).toHaveLength(1);
  });

  it.each([
    '**Decision**: ',
    '- **Decision:** ',
    'Decision: ',
    '| Decision | ',
  ])('may tell its decision behind %j', (label) => {
    const labelled = nygard(1, without('Decision')).replace('## Consequences', `${label}${TEXT}\n\n## Consequences`);
    expect(errors(labelled)).toEqual([]);
    expect(checkAdr(labelled).findings).toMatchObject([
      { severity: 'warning', message: 'the decision has no heading of its own: it stands in line 11' },
    ]);
    expect(errors(labelled.replace(label + TEXT, `${label}TBD`))).toHaveLength(1);
  });

  it('is no decision by the status it has', () => {
    const proposal = (text: string) => text.replace('Accepted', '**Proposal**\n\nDiscussed by the board of architects');
    expect(all(nygard(1, proposal))).toEqual([]);
    expect(errors(proposal(nygard(1, without('Decision'))))).toHaveLength(1);
  });

  it.each([
    'Décrire les API REST avec OpenAPI 3 et générer les clients à partir de ce contrat.',
    'Document the decision in an ADR next to the code, and review it in the pull request',
    'Outline all options in a short RFC and let the team vote on it within one week',
    'Beschreibe die Schnittstellen mit OpenAPI 3 und erzeuge die Clients daraus.',
    'Explain the change to the users in the release notes of every version.',
    'Describe all options in an RFC before a decision is made; the architects vote on it.',
    '`{service name}.{team name}`',
  ])('may decide what a template could order: %s', (body) => {
    expect(all(nygard(1, (text) => text.replace(/Decision: .*/, body)))).toEqual([]);
  });

  it.each([
    ['Problem and Context', 'Context'],
    ['Ausgangssituation', 'Context'],
    ['Problème', 'Context'],
    ['Entscheidungen', 'Decision'],
    ['Décisions', 'Decision'],
    ['Entscheid', 'Decision'],
    ['Le choix', 'Decision'],
    ['Selected solution', 'Decision'],
  ])('may call a section "%s"', (name, usual) => {
    expect(errors(nygard(1, (text) => text.replace(`## ${usual}`, `## ${name}`)))).toEqual([]);
  });

  it('with thousands of sections of code takes time in proportion', () => {
    const time = (sections: number) => {
      const text = nygard(1) + '## s\n\n```\na\n```\n\n'.repeat(sections);
      const work = workMeter();
      for (let round = 0; round < 16_000 / sections; round += 1) checkAdr(text);
      return work();
    };
    time(500);
    // All of them have as many sections to check; were each as dear as the text is long, it would be 32 times the work.
    expect(time(16_000)).toBeLessThan(8 * time(500));
  });

  it.each([
    ['{describe the decision here}', 'placeholder'],
    ['Describe the decision that was made', 'placeholder'],
    ['List the consequences here.', 'placeholder'],
    ['Décrivez ici la décision', 'placeholder'],
    ['Beschreibe hier kurz die Entscheidung', 'placeholder'],
    ['[Describe the decision here]', 'placeholder'],
    ['What is the change that we are proposing?', 'placeholder'],
    ['Lorem ipsum dolor sit amet, consectetur adipiscing elit.', 'placeholder'],
    ['xxxxxxxxxxxxxxxx xxxxxxxxxxxxxxxxxx', 'placeholder'],
    ['TODO: write this', 'placeholder'],
    ['wird noch ergänzt', 'placeholder'],
    ['à compléter', 'placeholder'],
    ['Hier die Entscheidung beschreiben.', 'placeholder'],
    [
      'Chosen option: "{title of option 1}", because {justification, which resolves {force}}.\n\n* Good, because {positive}',
      'placeholder',
    ],
    ['Chosen option: "[option 1]", because [justification. e.g., only option].', 'placeholder'],
    ['TODO write the decision', 'placeholder'],
    ['<!-- We use it from now on. -->', 'empty-section'],
  ])('has no decision in %j', (body, check) => {
    expect(errors(nygard(1, (text) => text.replace(/Decision: .*/, body)))).toEqual([expect.stringContaining(check)]);
  });

  it.each([
    'TODO comments in our code are never resolved, so each one becomes a ticket.',
    'TBD (trunk based development) is our way of working from now on.',
    'Chosen option: "Use it", because it is the simplest.',
    'The API takes {id} and [a list of names] from now on.',
  ])('decides something with %j', (body) => {
    expect(errors(nygard(1, (text) => text.replace(/Decision: .*/, body)))).toEqual([]);
  });

  it('that hides its decision in an open fence is told so', () => {
    const found = errors(nygard(1, (text) => text.replace('## Decision', '```\n\n## Decision')));
    expect(found).toEqual([
      'missing-section: the section "Decision" is missing',
      'unclosed-fence: the code block that starts here is never closed and hides "Decision"',
    ]);
  });
});

describe('the header of a HELIX ADR', () => {
  it.each([
    ['files: src/x.ts', '"files" must be a map', 3],
    ['classification: [NEW]', '"classification" must be one word', 3],
    ['depends_on: [{ id: "7" }]', 'an entry of "depends_on" must be text', 3],
    ['depends_on: ADR-007', '"depends_on" must be a list', 3],
    ['chnage_scope: major', 'unknown field "chnage_scope"', 3],
    ['classification: NEWEST', 'unknown classification "NEWEST"', 3],
  ])('%s is told with its place', (field, message, line) => {
    const found = checkAdr(`---\nadr_id: "001"\n${field}\n---\n\n# ADR-001: X\n`).findings.filter(
      ({ check: id }) => id === 'header-yaml',
    );
    expect(found).toMatchObject([{ message, location: { line } }]);
    if (message.startsWith('unknown field')) expect(found[0]?.location?.column).toBe(1);
  });
});

describe('a folder', () => {
  const file = (id: number, text = nygard(id)) => ({ path: `docs/adr/000${id}-orders.md`, text, findings: [] });
  const check = (files: ReturnType<typeof file>[], profile: 'auto' | 'learned' = 'auto', whole = true) =>
    checkAdrSet({ files, beside: () => [], whole }, { profile });

  it('decides on the form of an ADR whose headings do not', () => {
    const odd = '# 3. Orders\n\nSome words.\n\n## Details\n\nMore words.\n';
    const [, , third] = check([file(1), file(2), file(3, odd)]);
    expect(third).toMatchObject({ profile: 'nygard', verdict: 'reject' });
  });

  it('may hold documents that are no ADRs; a file that was named is one', () => {
    const page = { ...file(3, '# How we work\n\nSome words.\n'), path: 'docs/adr/how-we-work.md' };
    expect(check([file(1), page])[1]).toMatchObject({
      verdict: 'pass',
      findings: [{ severity: 'info', check: 'unrecognised' }],
    });
    expect(check([page], 'auto', false)[0]).toMatchObject({ verdict: 'reject' });
  });

  it('lets no file pass whose front matter is broken, whatever it may be', () => {
    const broken = { ...file(3, '---\ntitle: [open\n---\n\n# How we work\n'), path: 'docs/adr/how-we-work.md' };
    expect(check([file(1), broken])[1]).toMatchObject({
      verdict: 'reject',
      findings: expect.arrayContaining([expect.objectContaining({ severity: 'error', check: 'header-yaml' })]),
    });
  });

  it('teaches the sections that nearly all of its ADRs have', () => {
    const taught = (id: number) => file(id, `${nygard(id)}\n## Review date\n\nNext spring, by the platform team.\n`);
    const files = [1, 2, 3, 4, 5, 6].map(taught);
    expect(check([...files, file(7)], 'learned').flatMap(({ findings }) => findings)).toMatchObject([
      { severity: 'warning', check: 'missing-section', message: expect.stringContaining('"Review date"') },
    ]);
    expect(check([...files.slice(0, 3), file(7)], 'learned').flatMap(({ findings }) => findings)).toEqual([]);
  });

  it('that teaches asks for nothing its own ADRs do not have', () => {
    const headed = (id: number) => file(id, `---\nadr_id: "00${id}"\n---\n\n${nygard(id)}`);
    const checks = check([1, 2, 3, 4, 5, 6, 7].map(headed), 'learned');
    expect(checks.flatMap(({ findings }) => findings)).toEqual([]);
    expect(new Set(checks.map(({ profile }) => profile))).toEqual(new Set(['learned']));
  });

  it('does not call missing what stands in the part of a file that was not read', () => {
    const cut = {
      ...file(1, nygard(1, without('Decision'))),
      cut: true,
      findings: [{ severity: 'error', check: 'unreadable-file', message: 'x' } as const],
    } as const;
    const [only] = checkAdrSet({ files: [cut], beside: () => [], whole: true }, {});
    expect(only?.findings.map(({ check: id }) => id)).toEqual(['unreadable-file']);
  });

  it('keeps what could not be read, and checks the rest', () => {
    const broken = {
      path: 'docs/adr/0009-x.md',
      findings: [{ severity: 'error', check: 'unreadable-file', message: 'x' } as const],
    };
    const checks = checkAdrSet({ files: [broken, file(1)], beside: () => [], whole: true }, {});
    expect(checks.map(({ verdict }) => verdict)).toEqual(['reject', 'pass']);
  });
});
