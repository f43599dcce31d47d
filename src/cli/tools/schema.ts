import { HelixError } from '../../domain/helix-error.ts';
import { renderJson } from '../../report/words/json.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import type { Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { FORMATS, jsonSchema } from './schemas.ts';

/** `helix schema`: the formats as JSON Schema, for editors and for programs that read what HELIX writes. */
export const schema: Command = {
  usage: 'schema [name]',
  about: 'Prints the JSON Schema of a format; without a name, the formats there are.',
  positionals: { min: 0, max: 1 },
  options: {},
  examples: ['helix schema', 'helix schema phases', 'helix schema events > events.schema.json'],
  run: async ({ positionals: [name], terminal }) => {
    if (name === undefined) {
      const width = Math.max(...Object.keys(FORMATS).map((each) => each.length)) + 2;
      terminal.out(
        Object.entries(FORMATS)
          .map(([each, { about }]) => `${each.padEnd(width)}${about}\n`)
          .join(''),
      );
      return EXIT.passed;
    }
    const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
    if (format === undefined) {
      throw new HelixError('usage', `there is no format ${JSON.stringify(name)}`, {
        hint: `${suggestion(name, Object.keys(FORMATS))} See them all: helix schema`,
      });
    }
    terminal.out(renderJson(jsonSchema(format)));
    return EXIT.passed;
  },
};
