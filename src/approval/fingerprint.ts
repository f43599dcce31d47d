import { sha256 } from '../text/digest.ts';

/** What a finding is known by over attempts: its check, its file and the words it is about, wherever those stand by then. */
export function fingerprintOf(finding: {
  readonly check: string;
  readonly message: string;
  readonly file?: string;
  readonly evidence?: string;
}): string {
  const { check, message, file = '', evidence } = finding;
  const words = evidence === undefined ? plain(message).replace(/\d+/g, '') : plain(evidence);
  const kind = evidence === undefined ? 'message' : 'evidence';
  return sha256(JSON.stringify([check, file, kind, words])).slice(0, 16);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
