import type { Liquid, LiquidError, Template } from 'liquidjs';
import { HelixError } from '../domain/helix-error.ts';

const MAX_RESULT = 1_000_000;

type Parts = Readonly<Record<string, string>>;

const NO_PARTS: Parts = {};
const MAX_ENGINES = 8;
const engines = new Map<string, Promise<Liquid>>();

/**
 * Fills a Liquid template in one pass: a value is never looked at again, a missing variable or filter is an error,
 * and nothing but its `parts` can be included. Throws HelixError `config` naming the place in the template.
 */
export async function renderTemplate(
  template: string,
  values: object,
  path = 'template',
  parts: Parts = NO_PARTS,
): Promise<string> {
  if (!/\{[{%]/.test(template)) return template;
  const liquid = await engineWith(parts);
  let text: string;
  try {
    const whole = parts === NO_PARTS ? parsed(liquid, template) : liquid.parse(template);
    text = liquid.renderSync(whole, values) as string;
  } catch (error) {
    throw templateError(error as LiquidError, path);
  }
  if (text.length > MAX_RESULT) {
    throw new HelixError('config', `${path}: the result is longer than ${MAX_RESULT} characters`, {
      hint: 'Make it shorter.',
    });
  }
  return text;
}

const MAX_PARSED = 64;
const cache = new Map<string, Template[]>();

/** A run renders the same few templates for every attempt, so they are parsed once. */
function parsed(liquid: Liquid, template: string): Template[] {
  const known = cache.get(template);
  if (known !== undefined) return known;
  const fresh = liquid.parse(template);
  if (cache.size >= MAX_PARSED) cache.clear();
  cache.set(template, fresh);
  return fresh;
}

/** One for each set of parts: most templates have none, and a run has few others. */
function engineWith(parts: Parts): Promise<Liquid> {
  const key = parts === NO_PARTS ? '' : JSON.stringify(parts);
  const known = engines.get(key);
  if (known !== undefined) return known;
  const fresh = load(parts);
  if (engines.size >= MAX_ENGINES) engines.clear();
  engines.set(key, fresh);
  return fresh;
}

/** Loaded on first use, because most commands never render a brief. */
async function load(parts: Parts): Promise<Liquid> {
  const { Liquid } = await import('liquidjs');
  return new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: { ...parts },
    parseLimit: 1_000_000,
    renderLimit: 2000,
    memoryLimit: 10_000_000,
    timezoneOffset: 0,
  });
}

const PLACE = /, (?:file:([^,]+), )?line:(\d+), col:(\d+)$/;

function templateError(error: LiquidError, path: string): HelixError {
  const [, file, line = '1', column = '1'] = PLACE.exec(error.message) ?? [];
  const where = file === undefined ? path : `templates/${file}.md`;
  return new HelixError('config', `${where}:${line}:${column}: ${inWords(error.message.replace(PLACE, ''))}`, {
    hint: 'A template may use only the variables HELIX gives it, and include only what lies below templates/.',
    cause: error,
  });
}

function inWords(message: string): string {
  const missing = /^ENOENT: Failed to lookup "(.*)" in /.exec(message)?.[1];
  if (missing !== undefined) return `there is nothing to include at templates/${missing}.md`;
  return message.startsWith('Maximum call stack size') ? 'it includes itself without end' : message;
}
