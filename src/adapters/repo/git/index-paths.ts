/** The paths in a file of git's index, in any of its versions; undefined for what is none. */
export function indexPaths(bytes: Buffer): string[] | undefined {
  return paths(bytes, 20) ?? paths(bytes, 32);
}

/** Git says nowhere in the file how long its hashes are: with the wrong length, the names are not in order. */
function paths(bytes: Buffer, hashLength: number): string[] | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  const found: string[] = [];
  let before = Buffer.alloc(0);
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const start = at;
    at += 40 + hashLength;
    if (at + 4 > bytes.length) return undefined;
    at += version > 2 && (bytes.readUInt16BE(at) & 0x4000) !== 0 ? 4 : 2;
    let shared = 0;
    if (version === 4) [shared, at] = sharedLength(bytes, at, before.length);
    const end = bytes.indexOf(0, at);
    if (end === -1 || shared < 0) return undefined;
    const name = Buffer.concat([before.subarray(0, shared), bytes.subarray(at, end)]);
    if (name.length === 0 || Buffer.compare(before, name) > 0) return undefined;
    found.push(name.toString('utf8'));
    before = name;
    at = version === 4 ? end + 1 : start + 8 * (Math.floor((end - start) / 8) + 1);
  }
  return found;
}

/** How much of the name before it a name begins with, written as what to cut off, and where its rest starts. */
function sharedLength(bytes: Buffer, from: number, length: number): [shared: number, at: number] {
  let at = from;
  let byte = bytes[at] ?? 0;
  let cut = byte & 127;
  while ((byte & 128) !== 0) {
    at += 1;
    byte = bytes[at] ?? 0;
    cut = ((cut + 1) << 7) | (byte & 127);
  }
  return [length - cut, at + 1];
}
