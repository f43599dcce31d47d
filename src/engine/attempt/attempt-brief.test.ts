import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { checkBriefs } from './attempt-brief.ts';

const PHASES = [samplePhase('a'), samplePhase('b'), samplePhase('c', { config: { focus: 'speed' } })];

function check(skeleton: string): Promise<void> {
  const texts: Record<string, string> = { 'brief/phase.md': skeleton, 'brief/types/development.md': 'Develop.' };
  return checkBriefs(samplePlan(PHASES), async (name) => texts[name]);
}

it.each([
  '{{ nonsense }}',
  '{% if config.focus %}{{ nonsense }}{% endif %}',
  '{% if phase.id == "b" %}{{ nonsense }}{% endif %}',
  '{% case phase.id %}{% when "b" %}{{ nonsense }}{% endcase %}',
  '{% if phase.id contains "b" %}{{ nonsense }}{% endif %}',
  '{% if phase.id > "a" %}{{ nonsense }}{% endif %}',
  '{% unless phase.id < "b" %}{{ nonsense }}{% endunless %}',
])('a template that breaks in any phase is refused before anything starts: %s', async (skeleton) => {
  await expect(check(skeleton)).rejects.toMatchObject({ code: 'config' });
});

it('a template that fits all phases is accepted', async () => {
  await expect(check('{{ phase.id }}{% if config.focus %}{{ config.focus }}{% endif %}')).resolves.toBeUndefined();
});
