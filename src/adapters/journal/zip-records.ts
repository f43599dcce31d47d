/** An entry of a zip as it came to lie in the file. */
export type PackedEntry = {
  readonly name: Buffer;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Where its local header begins. */
  readonly offset: number;
};

/** The bytes of a local header before the name. */
export const LOCAL_BYTES = 30;

const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const END64_BYTES = 56;
const LOCATOR_BYTES = 20;
const MOST_32 = 0xffff_ffff;
const MOST_16 = 0xffff;

/** 2.0 knows deflate, 4.5 knows files beyond 4 GB. */
const VERSION = 20;
const VERSION_64 = 45;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
/** The first of January 1980: the same files give the same zip. */
const NO_DATE = 0x0021;
/** A plain file that its owner may read and write, made on Unix. */
const MODE = 0o100600 * 0x1_0000;
const UNIX = 3 * 256;

/** What stands before an entry's bytes. */
export function localHeader(entry: PackedEntry): Buffer {
  const header = Buffer.alloc(LOCAL_BYTES);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(VERSION, 4);
  writeShared(header, entry, 6);
  return Buffer.concat([header, entry.name]);
}

/** What stands about an entry in the list at the end. */
export function centralHeader(entry: PackedEntry): Buffer {
  const { offset, name } = entry;
  const far = offset >= MOST_32;
  const header = Buffer.alloc(CENTRAL_BYTES);
  header.writeUInt32LE(0x0201_4b50, 0);
  header.writeUInt16LE(UNIX + (far ? VERSION_64 : VERSION), 4);
  header.writeUInt16LE(far ? VERSION_64 : VERSION, 6);
  writeShared(header, entry, 8);
  const extra = far ? farOffset(offset) : Buffer.alloc(0);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(MODE, 38);
  header.writeUInt32LE(far ? MOST_32 : offset, 42);
  return Buffer.concat([header, name, extra]);
}

function writeShared(header: Buffer, { crc, packedBytes, bytes, name }: PackedEntry, at: number): void {
  header.writeUInt16LE(UTF8_NAMES, at);
  header.writeUInt16LE(DEFLATED, at + 2);
  header.writeUInt16LE(NO_DATE, at + 6);
  header.writeUInt32LE(crc, at + 8);
  header.writeUInt32LE(packedBytes, at + 12);
  header.writeUInt32LE(bytes, at + 16);
  header.writeUInt16LE(name.length, at + 20);
}

function farOffset(offset: number): Buffer {
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset), 4);
  return extra;
}

/** What ends a zip: how many entries there are and where their list lies, in the long form where the short one has no room. */
export function endRecords(list: {
  readonly entries: number;
  readonly bytes: number;
  readonly offset: number;
}): Buffer {
  const { entries, bytes, offset } = list;
  const long = entries >= MOST_16 || bytes >= MOST_32 || offset >= MOST_32;
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x0605_4b50, 0);
  for (const at of [8, 10]) end.writeUInt16LE(Math.min(entries, MOST_16), at);
  end.writeUInt32LE(Math.min(bytes, MOST_32), 12);
  end.writeUInt32LE(Math.min(offset, MOST_32), 16);
  return long ? Buffer.concat([longEnd(list), end]) : end;
}

function longEnd({ entries, bytes, offset }: { entries: number; bytes: number; offset: number }): Buffer {
  const end = Buffer.alloc(END64_BYTES + LOCATOR_BYTES);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(BigInt(END64_BYTES - 12), 4);
  end.writeUInt16LE(UNIX + VERSION_64, 12);
  end.writeUInt16LE(VERSION_64, 14);
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(entries), at);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x0706_4b50, END64_BYTES);
  end.writeBigUInt64LE(BigInt(offset + bytes), END64_BYTES + 8);
  end.writeUInt32LE(1, END64_BYTES + 16);
  return end;
}
