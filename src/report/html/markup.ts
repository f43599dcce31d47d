import { sanitise } from '../../text/sanitise.ts';

/** HTML that is known to be safe: made by `markup`, or a constant of our own. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** What may stand in a template: text and numbers are escaped, Markup is taken as it is, nothing is nothing. */
export type MarkupValue = string | number | Markup | readonly Markup[] | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template for HTML in which every value is escaped; no report builds HTML in another way. */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(strings.map((text, index) => text + render(values[index])).join(''));
}

function render(value: MarkupValue): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.html;
  if (typeof value === 'string') return escapeHtml(value);
  return typeof value === 'number' ? String(value) : value.map((part) => part.html).join('');
}

function escapeHtml(text: string): string {
  return sanitise(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
