/** Bytes with a disguise taken off, and where each of them began before; as they were where that is not said. */
export type Reading = { readonly bytes: Buffer; readonly at?: Uint32Array };

/** Text whose characters have two or four bytes, as far as it is ASCII. */
export function withoutNuls(reading: Reading): Reading {
  return kept(reading, (byte) => byte !== 0);
}

const IN_CODE = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  IN_CODE[character.charCodeAt(0)] = 1;

/** Only what base64 and hexadecimal digits are made of: line breaks, blanks and quotes between them are gone. */
export function withoutBreaks(reading: Reading): Reading {
  return kept(reading, (byte) => IN_CODE[byte] === 1);
}

function kept({ bytes, at }: Reading, isKept: (byte: number) => boolean): Reading {
  const made = Buffer.allocUnsafe(bytes.length);
  const places = new Uint32Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (!isKept(byte)) continue;
    made[length] = byte;
    places[length] = at?.[index] ?? index;
    length += 1;
  }
  return { bytes: made.subarray(0, length), at: places.subarray(0, length) };
}

const HINT = /\\|&#|%[0-9a-fA-F]/;
/** A row of backslashes counts as one, whatever follows: each time a text is quoted there are more of them. */
const ESCAPE =
  /\\+(?:u\{0{0,8}([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-3][0-7]{2})|([^\\]))?|&#(?:[xX]0{0,8}([0-9a-fA-F]{1,6})|0{0,8}([0-9]{1,7}));|%([0-9a-fA-F]{2})/g;
const BLANKS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** What is written as codes of strings, mark-up and addresses becomes the characters they stand for; the same reading where there is none. */
export function unescaped(reading: Reading): Reading {
  const text = reading.bytes.toString('latin1');
  if (!HINT.test(text)) return reading;
  const made = Buffer.allocUnsafe(text.length);
  const places = new Uint32Array(text.length);
  let [done, length] = [0, 0];
  const put = (piece: Buffer, from: number, step: 0 | 1) => {
    for (let index = 0; index < piece.length; index += 1) {
      made[length] = piece[index] as number;
      places[length] = reading.at?.[from + index * step] ?? from + index * step;
      length += 1;
    }
  };
  for (const match of text.matchAll(ESCAPE)) {
    put(reading.bytes.subarray(done, match.index), done, 1);
    put(meantBy(match), match.index, 0);
    done = match.index + match[0].length;
  }
  put(reading.bytes.subarray(done), done, 1);
  return { bytes: made.subarray(0, length), at: places.subarray(0, length) };
}

/** Never longer than what was written. */
function meantBy(match: RegExpExecArray): Buffer {
  const [, braced, four, eight, two, octal, other, hex, decimal, percent] = match;
  const byte = two ?? percent;
  if (byte !== undefined) return Buffer.from(byte, 'hex');
  if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
  if (other !== undefined) return Buffer.from(BLANKS[other] ?? other, 'latin1');
  const isCode = [braced, four, eight, hex, decimal].some((digits) => digits !== undefined);
  if (!isCode) return Buffer.alloc(0);
  const code = decimal === undefined ? Number.parseInt(braced ?? four ?? eight ?? hex ?? '', 16) : Number(decimal);
  return code > 0x10ffff ? Buffer.alloc(0) : Buffer.from(String.fromCodePoint(code));
}
