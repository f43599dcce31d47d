import { columns, take } from './columns.ts';

/** What a piece of text means; the command line knows which colour that is. */
export type Style = 'strong' | 'dim' | 'good' | 'bad' | 'warn' | 'info';

/** Puts a style on text; where colours are off it returns the text as it is. */
export type Paint = (style: Style, text: string) => string;

/** A piece of a line, with or without a style. */
export type Part = string | readonly [style: Style, text: string];

/** Where text goes: how wide it may be and how it is coloured. */
export type Canvas = { readonly width: number; readonly paint: Paint };

/** Joins the parts to one line that fits; it is cut before it is painted, so that no colour code is ever cut. */
export function renderLine(parts: readonly Part[], canvas: Canvas): string {
  const whole = parts.reduce((total, part) => total + columns(textOf(part)), 0) <= canvas.width;
  let left = whole ? canvas.width : canvas.width - 1;
  let line = '';
  for (const part of parts) {
    const text = textOf(part);
    const shown = take(text, left);
    line += typeof part === 'string' || shown === '' ? shown : canvas.paint(part[0], shown);
    left -= columns(shown);
    if (shown !== text) break;
  }
  return whole ? line.trimEnd() : `${line}…`;
}

function textOf(part: Part): string {
  return typeof part === 'string' ? part : part[1];
}
