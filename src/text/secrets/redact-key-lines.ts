const BEGIN = /-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----\s*$/;
const BODY = /^\s*(?:[A-Za-z0-9+/=]{1,200}|(?:Proc-Type|DEK-Info): .{1,100})?\s*$/;
const LONGEST_KEY = 1000;

/** Masks a private key that comes line by line: what follows its first line, as long as it looks like one. */
export function keyLineMask(): (line: string) => string {
  let left = 0;
  return (line) => {
    if (left > 0 && BODY.test(line)) {
      left -= 1;
      return '[redacted private key]';
    }
    left = line.includes('PRIVATE KEY-----') && BEGIN.test(line) ? LONGEST_KEY : 0;
    return line;
  };
}
