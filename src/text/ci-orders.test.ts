import { expect, it } from 'vitest';
import { withoutOrders } from './ci-orders.ts';

it.each([
  ['::set-output name=x::y', ': :set-output name=x::y'],
  ['a\n  ::warning::b\n', 'a\n  : :warning::b\n'],
  ['##[error]no', '# #[error]no'],
  ['it said ##[add-mask]x', 'it said # #[add-mask]x'],
  ['it said ##vso[task.setvariable]x', 'it said # #vso[task.setvariable]x'],
  ["##teamcity[buildStatus status='SUCCESS']", "# #teamcity[buildStatus status='SUCCESS']"],
])('no line of %j is an order to a CI service', (text, shown) => {
  expect(withoutOrders(text)).toBe(shown);
});

it.each(['a::b', 'std::vector', '## Heading', '#[derive(Debug)]', ': ::'])('%j stays as it is', (text) => {
  expect(withoutOrders(text)).toBe(text);
});
