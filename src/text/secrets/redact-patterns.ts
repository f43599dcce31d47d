/** Begins with what every shape below needs, so that ordinary text costs one short search. */
const HINT =
  /sk-|gh[opsur]_|github_pat_|glpat-|npm_|xox|AIza|AKIA|ASIA|eyJ|PRIVATE KEY|authorization|Authorization|AUTHORIZATION/;

const BREAK = String.raw`(?:\\{1,8}[rn]|\s){1,8}`;
const BODY = '[A-Za-z0-9+/=]';

/**
 * Each is tried only where a word begins, no part can match what the next one begins with, and none is without a limit, so
 * that neither time nor the memory for going back grows with the text.
 */
const SHAPES: readonly (readonly [name: string, shape: string])[] = [
  ['Anthropic key', 'sk-ant-[\\w-]{16,512}'],
  ['OpenAI key', 'sk-(?:proj|svcacct|admin|None)-[\\w-]{16,512}'],
  ['API key', 'sk-(?=[A-Za-z]*\\d)[A-Za-z0-9]{20,512}'],
  ['GitHub token', 'gh[opsur]_[A-Za-z0-9]{20,512}'],
  ['GitHub token', 'github_pat_\\w{20,512}'],
  ['GitLab token', 'glpat-[\\w-]{16,512}'],
  ['npm token', 'npm_[A-Za-z0-9]{30,512}'],
  ['Slack token', 'xox[abeoprs]-[A-Za-z0-9-]{10,512}'],
  ['Google key', 'AIza[\\w-]{35}(?![\\w-])'],
  ['AWS key id', '(?:AKIA|ASIA)[A-Z0-9]{16}(?![\\w-])'],
  ['JWT', 'eyJ[\\w-]{8,8192}\\.eyJ[\\w-]{8,8192}\\.[\\w-]{8,8192}'],
];
const TOKEN = new RegExp(`(?<![\\w-])(?:${SHAPES.map(([, shape]) => `(${shape})`).join('|')})`, 'g');

/** The token after the name of the header, also where quotes around both are escaped. */
const HEADER =
  /(authorization["'\\]{0,8}\s{0,4}[:=]\s{0,4}["'\\]{0,8}(?:bearer|basic|token)\s{1,4})([\w.~+/=-]{12,8192})/gi;

const PRIVATE_KEY = new RegExp(
  [
    '-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----',
    `(?:${BREAK}(?:Proc-Type|DEK-Info): [^\\n\\\\]{1,100}){0,2}`,
    `(?:${BREAK}${BODY}{16,4096}){1,1024}`,
    `(?:${BREAK}${BODY}{1,15})?`,
    `(?:${BREAK}-----END [A-Z ]{0,24}PRIVATE KEY-----)?`,
  ].join(''),
  'g',
);

/** Masks what has the shape of a token or private key, whoever it belongs to. */
export function redactShapes(text: string, mark: (name: string) => string): string {
  if (!HINT.test(text)) return text;
  return text
    .replace(PRIVATE_KEY, mark('private key'))
    .replace(TOKEN, (...found) =>
      mark(SHAPES[found.slice(1).findIndex((group) => group !== undefined)]?.[0] ?? 'token'),
    )
    .replace(HEADER, (_, before) => `${before}${mark('authorization')}`);
}
