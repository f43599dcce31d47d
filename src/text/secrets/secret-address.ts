/** Tells an address from other texts. */
export const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

const PARTS = /^[^:]+:\/\/(?:([^/?#@\s:]*)(?::([^/?#\s]*))?@)?[^/?#\s]*([^?#\s]*)(?:\?([^#\s]*))?/;
/** Names of variables whose addresses often let in whoever knows them. */
const TELLING_NAME = /WEBHOOK|(?:^|_)HOOK|(?:URL|URI|DSN|ENDPOINT)$/i;
const SHORTEST_RANDOM = 16;
/** In a random text every second or third character is of another kind than the one before it; in names far fewer are. */
const KIND_CHANGES = 1 / 4;

/** The parts of an address that are secrets by their place; those of its path and query only look like one. */
export type AddressParts = { readonly certain: readonly string[]; readonly random: readonly string[] };

/** Splits an address: its password and a token in place of a user are secrets, and whatever looks random may be one. */
export function addressParts(address: string): AddressParts {
  const [, user = '', password = '', path = '', query = ''] = PARTS.exec(address) ?? [];
  const values = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  return {
    certain: [password, ...(isToken(user) ? [user] : [])].flatMap(spellings),
    random: [...path.split(/[/;,@]/), ...values].filter(looksRandom).flatMap(spellings),
  };
}

/** Tells whether addresses in a variable of that name are looked through for secrets. */
export function holdsTellingAddress(name: string): boolean {
  return TELLING_NAME.test(name);
}

/** Nobody is called like that. */
function isToken(user: string): boolean {
  return user.length >= SHORTEST_RANDOM && /\d/.test(user) && /[A-Za-z]/.test(user);
}

/** Long, and made of letters and digits that change as no words do. */
function looksRandom(text: string): boolean {
  const changes = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return text.length >= SHORTEST_RANDOM && changes >= text.length * KIND_CHANGES;
}

/** A part as it is written there and as it is meant. */
function spellings(part: string): string[] {
  if (part === '') return [];
  try {
    return [...new Set([part, decodeURIComponent(part)])];
  } catch {
    // Not meant to be decoded, then.
    return [part];
  }
}
