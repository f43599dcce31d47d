import type { Liquid, LiquidError, Template } from 'liquidjs';
import { HelixError } from '../domain/helix-error.ts';

const MAX_RESULT = 1_000_000;

let engine: Promise<Liquid> | undefined;

/**
 * Fills a Liquid template in one pass: a value is never looked at again, a missing variable or filter is an error,
 * and no other file can be reached. Throws HelixError `config` naming the place in the template.
 */
export async function renderTemplate(template: string, values: object, path = 'template'): Promise<string> {
  if (!/\{[{%]/.test(template)) return template;
  engine ??= load();
  const liquid = await engine;
  let text: string;
  try {
    text = liquid.renderSync(parsed(liquid, template), values) as string;
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

/** Loaded on first use, because most commands never render a brief. */
async function load(): Promise<Liquid> {
  const { Liquid } = await import('liquidjs');
  return new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    parseLimit: 1_000_000,
    renderLimit: 2000,
    memoryLimit: 10_000_000,
    timezoneOffset: 0,
  });
}

function templateError(error: LiquidError, path: string): HelixError {
  const [line, column] = positionOf(error);
  const message = error.message.replace(/, line:\d+, col:\d+$/, '');
  return new HelixError('config', `${path}:${line}:${column}: ${message}`, {
    hint: 'A template may use only the variables HELIX gives it, and no other file.',
    cause: error,
  });
}

function positionOf(error: LiquidError): readonly number[] {
  return (
    error.message
      .match(/line:(\d+), col:(\d+)$/)
      ?.slice(1)
      .map(Number) ?? [1, 1]
  );
}
