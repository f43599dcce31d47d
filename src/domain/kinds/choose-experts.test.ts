import { expect, it } from 'vitest';
import { chooseExperts, MAX_CHOSEN } from './choose-experts.ts';
import type { Expert } from './experts-file.ts';

const expert = (id: string, ...triggers: string[]): Expert => ({ id, name: id, description: '', skills: [], triggers });

it('an expert is chosen by a whole word of the request, and the reason names it', () => {
  const experts = [expert('operations', 'ci'), expert('security', 'login', 'two factor')];
  expect(chooseExperts('Add a Login with two\n factor to our social media page', [], experts)).toEqual([
    { id: 'security', reason: 'the request says "login", "two factor"' },
  ]);
});

it('no part of a word calls for anybody, in any script', () => {
  expect(
    chooseExperts(
      'social, Müllers, über_alles, importante, magic',
      [],
      [expert('a', 'ci', 'müller', 'über', 'import', 'gic')],
    ),
  ).toEqual([]);
  expect(chooseExperts('in C++ und C#', [], [expert('a', 'C++'), expert('b', 'c#')])).toHaveLength(2);
});

it('an expert is chosen by what was found in the project', () => {
  expect(
    chooseExperts('Mend it', ['python'], [expert('typescript', 'TypeScript'), expert('python', 'Python')]),
  ).toEqual([{ id: 'python', reason: 'the project has Python' }]);
});

it('who is called for most goes first, and not more are chosen than can be heard', () => {
  const many = Array.from({ length: MAX_CHOSEN + 2 }, (_, index) => expert(`e${index}`, 'data'));
  const chosen = chooseExperts('data in a table', [], [...many, expert('best', 'data', 'table')]);
  expect(chosen.map(({ id }) => id)).toEqual(['best', 'e0', 'e1', 'e2', 'e3']);
});

it('a word is looked for as it is written, and an empty one calls for nobody', () => {
  expect(chooseExperts('aaa', [], [expert('a', 'a*'), expert('b', '.'), expert('c', ' ')])).toEqual([]);
});

it('a request of a megabyte is answered at once', () => {
  expect(chooseExperts('a '.repeat(500_000), [], [expert('a', 'b b b')])).toEqual([]);
});
