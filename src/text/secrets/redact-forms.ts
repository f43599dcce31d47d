/** A known secret is at least so long; anything shorter is found everywhere. */
export const SHORTEST_SECRET = 8;
/** So much of a secret gives it away even when the rest is missing. */
const TELLING = 16;
const LONGEST = 8192;
/** A part of such a text may well be ordinary: white space, quotes, brackets, the beginning of an address. */
const NOT_IN_PARTS = /[\s"'`\\{}[\]<>]|:\/\//;
const JSON_DEPTH = 3;

/** One way a secret can be written. */
export type Form = {
  readonly text: string;
  readonly name: string;
  /** How many characters of it in a row are taken for the secret. */
  readonly telling: number;
};

/** Every way in which a secret is known to turn up: as it is, and as programs escape and encode it. */
export function formsOf({ name, value }: { name: string; value: string }): Form[] {
  const whole = value.trim().slice(0, LONGEST);
  const lines = whole.includes('\n') ? whole.split('\n').map((line) => line.trim()) : [];
  const texts = new Set([
    ...writtenForms(whole),
    ...encodedForms(whole),
    ...lines.filter((line) => line.length >= TELLING && !line.startsWith('-----')).flatMap(writtenForms),
  ]);
  return [...texts]
    .filter((text) => text.length >= SHORTEST_SECRET)
    .map((text) => ({ text, name, telling: tellingPart(text, whole) }));
}

/** How a text looks whose characters have two bytes each, without those that are zero. */
export function wideForms({ name, value }: { name: string; value: string }): Form[] {
  const whole = value.trim().slice(0, LONGEST);
  if (isAscii(whole)) return [];
  const wide = Buffer.from(whole, 'utf16le');
  return wholeForms(
    name,
    [wide, Buffer.from(wide).swap16()]
      .map((bytes) => bytes.filter((byte) => byte !== 0))
      .map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
}

/** The encodings that programs break into lines, also of text whose characters have two bytes each. */
export function wrappableForms({ name, value }: { name: string; value: string }): Form[] {
  const whole = value.trim().slice(0, LONGEST);
  const texts = [Buffer.from(whole), Buffer.from(whole, 'utf16le')].flatMap((bytes) => {
    const hex = bytes.toString('hex');
    return [hex, hex.toUpperCase(), ...base64Forms(bytes)];
  });
  return wholeForms(name, texts);
}

/** Forms that count only from their beginning to their end. */
function wholeForms(name: string, texts: readonly string[]): Form[] {
  return [...new Set(texts)].map((text) => ({ text, name, telling: text.length }));
}

function tellingPart(text: string, value: string): number {
  if (NOT_IN_PARTS.test(text)) return text.length;
  const spread = Math.max(1, text.length / Buffer.byteLength(value));
  return Math.min(text.length, Math.ceil(TELLING * spread));
}

/** As it is, and as it stands in JSON, JSON in JSON, and mark-up. */
function writtenForms(value: string): string[] {
  const forms = [value, markup(value)];
  const slashed = escaped(value).replaceAll('/', '\\/');
  for (const once of [escaped(value), slashed, coded(value, /[^ -~]/g), coded(value, /[^ -~]|[<>&']/g)]) {
    let form = once;
    for (let depth = 0; depth < JSON_DEPTH; depth += 1) {
      forms.push(form);
      form = escaped(form);
    }
  }
  return [...forms, ...forms.filter((form) => !isAscii(form)).map(bytesAsCharacters)];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** JSON as programs write it that trust only ASCII, some of them no mark-up either. */
function coded(text: string, characters: RegExp): string {
  return escaped(text).replace(characters, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

function markup(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&${ENTITIES[found]};`);
}

function isAscii(text: string): boolean {
  return text.length === Buffer.byteLength(text);
}

/** How a text looks whose bytes are read one by one. */
function bytesAsCharacters(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function encodedForms(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase(), ...base64Forms(bytes), ...urlForms(value)];
}

/**
 * Base64 depends on how many bytes stand before the secret, so there are three of them; the characters that also depend on
 * what stands before or after it are left out.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 2, 3].flatMap((unstable, before) => {
    const length = before + bytes.length;
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const stable = text.slice(unstable, Math.floor((length * 8) / 6));
    return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Programs do not agree on which characters an address may have as they are, and on the case of the rest. */
function urlForms(value: string): string[] {
  const sound = value.toWellFormed();
  const component = encodeURIComponent(sound);
  const strict = component.replace(/[!'()*]/g, percent);
  const all = [...Buffer.from(value)].map((byte) => percent(String.fromCharCode(byte))).join('');
  const forms = [component, strict, strict.replaceAll('%20', '+').replaceAll('~', '%7E'), encodeURI(sound), all];
  return forms.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
